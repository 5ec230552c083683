// Searches of an index that the caller records.
#include "index/choice_limits.hpp"
#include "index/decorated_plans.hpp"
#include "index/implementation.hpp"
#include "proxel/error.hpp"
#include "search/check.hpp"

namespace proxel {

namespace {

// The kind that is searched with: removed rows have one, and the caller may not then.
FilterKind filter_of(const PlanOptions& options, FilterKind of_rows) {
  if (options.filter != FilterKind::none && of_rows != FilterKind::none)
    throw Error(ErrorCode::unsupported, "filter",
                "rows have been removed, for which the plan brings its own filter; compact() the index "
                "first");
  return options.filter != FilterKind::none ? options.filter : of_rows;
}

void require_no_blocks(bool blocked) {
  if (blocked) throw Error(ErrorCode::unsupported, "plan", "a search in blocks takes the host's part; use search()");
}

}  // namespace

std::unique_ptr<Plan> Index::plan(std::uint32_t queries, std::uint64_t k, Metric metric, const PlanOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  SearchDescription wanted = self.describe(queries, options.exclude_self ? self.wider_by_self(k) : k, metric);
  wanted.filter = filter_of(options, wanted.filter);
  wanted.continued = options.continued;
  wanted.counted = options.counted;
  wanted.ordered = options.ordered;
  self.checked_method(wanted, options.filter);
  search::check(wanted);
  require_no_blocks(self.blocked != nullptr);
  // What is refused is not counted.
  self.count(wanted, options.filter, index::executions_of_plan);
  const Method answering = self.checked_method(wanted, options.filter);
  std::unique_ptr<Plan> plan;
  self.plan(answering, wanted, [&](std::unique_ptr<Plan> planned) { plan = std::move(planned); });
  if (options.exclude_self) plan = index::leaving_self_out(self.storage.device(), wanted, std::move(plan));
  return index::finding_live_rows(self.storage.device(), self.live, std::move(plan));
}

std::unique_ptr<Plan> Index::plan_range(std::uint32_t queries, float radius, Metric metric,
                                        const PlanOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  if (options.continued) throw Error(ErrorCode::unsupported, "continued", "a range search has no pages");
  if (options.exclude_self)
    throw Error(ErrorCode::unsupported, "exclude_self", "a range search finds each row itself as well");
  if (options.counted)
    throw Error(ErrorCode::unsupported, "counted",
                "a range search needs the number of queries when it is recorded; queries of NaN find nothing");
  require_no_blocks(self.blocked != nullptr);
  RangeDescription wanted = self.describe_range(radius, metric);
  wanted.queries = queries;
  wanted.ordered = options.ordered;
  wanted.filter = filter_of(options, self.live.removed() == 0 ? FilterKind::none : FilterKind::shared);
  search::check(wanted);
  return index::finding_live_rows(self.storage.device(), self.live, index::plan_range(self.storage, wanted));
}

}  // namespace proxel
