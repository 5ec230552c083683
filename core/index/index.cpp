#include "proxel/index.hpp"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "index/check_search.hpp"
#include "index/decorated_plans.hpp"
#include "index/implementation.hpp"
#include "index/live_filter.hpp"
#include "index/query_values.hpp"
#include "index/upload.hpp"
#include "index/without_self.hpp"
#include "search/check.hpp"
#include "session/queries_at_once.hpp"
#include "session/stopwatch.hpp"

namespace proxel {

namespace {

// One pair per query: the last of what was found.
template <typename T>
MatrixView<T> last_column(const Matrix<T>& found, std::uint64_t first, std::uint64_t count) {
  const std::uint64_t k = found.columns();
  return {found.data() + first * k + k - 1, count, 1, k, 1};
}

// Hands answers on from a round's memory.
std::function<void(const session::Round&, std::uint64_t first, std::uint64_t count)> taking(
    const index::TakeAnswers& take, std::uint64_t k) {
  if (!take) return {};
  return [&take, k](const session::Round& round, std::uint64_t first, std::uint64_t count) {
    take({round.indices(), round.distances(), count, k}, first);
  };
}

// The same of an answer as a whole.
Neighbors taken(Neighbors found, const index::TakeAnswers& take) {
  if (!take) return found;
  take(search::rows_of(found), 0);
  return {{}, {}, std::move(found.report)};
}

}  // namespace

session::Pace& Index::Implementation::pace_of(Method answering) {
  const bool on_matrix_units =
      answering == Method::fused || answering == Method::garcia_gemm || answering == Method::komarov;
  return paces.try_emplace(answering, storage.device(), on_matrix_units).first->second;
}

double Index::Implementation::work_per_query(Method answering) const {
  // How many rows boxes leave, about.
  constexpr std::uint64_t in_near_boxes = 8192;
  const std::uint64_t compared =
      answering == Method::bvh ? std::min(description.rows, in_near_boxes) : description.rows;
  return static_cast<double>(compared) * description.dimensions;
}

Neighbors Index::Implementation::search(std::uint64_t queries, std::uint64_t k, Metric metric,
                                        const SearchOptions& with, const Ends& ends) {
  index::check_options(with, queries, description.rows);
  index::LiveFilter filter(live, with.filter);
  const std::uint64_t words = filter.kind() == FilterKind::per_query ? with.filter.columns : 0;
  index::Shape shape;
  shape.queries_on_device = ends.queries_on_device;
  shape.answers_on_device = ends.answers_on_device;
  shape.exclude_self = !with.self.empty();
  const std::uint64_t searched = shape.exclude_self ? wider_by_self(k) : k;
  // A k out of range is refused below.
  const std::uint64_t slots = 2 * std::min(searched, search::most_k) * (shape.exclude_self ? 2 : 1);
  const std::uint64_t block = session::queries_at_once((description.dimensions + slots + words) * 4);
  SearchDescription& wanted = shape.nearest;
  wanted = describe(static_cast<std::uint32_t>(std::min(queries, block)), searched, metric);
  wanted.raw = with.raw;
  wanted.ordered = with.ordered;
  wanted.filter = filter.kind();
  wanted.continued = with.after != nullptr;
  wanted.bounded = ends.bounded;
  shape.answering = checked_method(wanted, index::kind_of(with.filter));
  count(wanted, index::kind_of(with.filter), 1);
  for (const auto& [method, searcher] : searchers)
    if (searcher->gives_up(metric)) forget_plans();
  const index::Searcher& answering = *searchers.at(shape.answering);
  wanted.unsampled = ends.unsampled && answering.may_go_unsampled(wanted);
  session::Session<index::Shape>& used = wanted.unsampled ? unsampled : session;
  if (ends.values && answering.asks_for_values(wanted)) wanted.values = answering.used_values(wanted, ends.values());
  if (const Support support = answering.supports_raw(); with.raw && !support)
    throw Error(ErrorCode::unsupported, "raw", fmt::format("{} {}", to_string(shape.answering), support.reason));
  Call call;
  call.work = {queries, block, work_per_query(shape.answering)};
  call.shape = [&](std::uint64_t, std::uint64_t count) {
    shape.nearest.queries = static_cast<std::uint32_t>(count);
    return shape;
  };
  call.plan = [&](const index::Shape& of, const session::Prepare& prepare) {
    plan(of.answering, of.nearest, [&](std::unique_ptr<Plan> planned) {
      if (of.exclude_self) planned = index::leaving_self_out(storage.device(), of.nearest, std::move(planned));
      prepare(std::move(planned),
              {.queries_on_device = of.queries_on_device, .answers_on_device = of.answers_on_device});
    });
  };
  call.encode = [&](session::Round& round, const index::Shape&, std::uint64_t first, std::uint64_t count) {
    if (wanted.filter != FilterKind::none)
      asked_copy.run(filter.of(first, count), static_cast<std::uint32_t*>(round.filter()));
    if (!with.self.empty())
      std::ranges::copy(with.self.subspan(first, count), static_cast<std::uint32_t*>(round.self()));
    if (with.after) {
      index::copy_rows(last_column(with.after->indices, first, count),
                       static_cast<std::uint32_t*>(round.after_indices()));
      index::copy_rows(last_column(with.after->distances, first, count), static_cast<float*>(round.after_distances()));
    }
    ends.encode(round, first, count);
  };
  session::Pace& pace = pace_of(shape.answering);
  if (!ends.take) return used.nearest(call, k, pace, with.progress);
  Neighbors found;
  found.report = used.each_answer(call, pace, with.progress, ends.take);
  return found;
}

RangeDescription Index::Implementation::describe_range(float radius, Metric metric) const {
  if (torn()) throw Error(ErrorCode::unsupported, "range search", supports_anything().reason);
  if (!blocked && !storage.has_tiles())
    throw Error(ErrorCode::unsupported, "range search",
                fmt::format("{} search keeps no tiles of rows to search; use the scan", to_string(options.method)));
  search::require_radius(radius);
  search::require_metric(metric);
  RangeDescription wanted;
  wanted.metric = metric;
  wanted.rows = storage.rows();
  wanted.dimensions = storage.dimensions();
  wanted.radius = radius;
  wanted.scratch_limit = options.scratch_limit;
  return wanted;
}

Neighbors Index::Implementation::search_given(const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                                              const SearchOptions& with, const index::TakeAnswers& take) {
  index::check_queries(queries, description.dimensions);
  if (blocked) return taken(search_blocked(queries, k, metric, with), take);
  const auto encode = [&](session::Round& round, std::uint64_t first, std::uint64_t count) {
    asked_copy.run(queries.slice(first, count), static_cast<float*>(round.queries()));
  };
  const auto values = [&] { return index::values_of(queries); };
  const auto nearest = [&](std::uint64_t wanted, const SearchOptions& how, const index::TakeAnswers& to) {
    return search(queries.rows, wanted, metric, how, {.encode = encode, .values = values, .take = taking(to, wanted)});
  };
  if (std::optional<Neighbors> page = search_page(queries, k, metric, with, nearest))
    return taken(*std::move(page), take);
  return nearest(k, with, take);
}

Neighbors Index::Implementation::search_own(std::uint64_t first_row, std::uint64_t count, std::uint64_t k,
                                            Metric metric, const SearchOptions& with, const index::TakeAnswers& take) {
  index::check_run(first_row, count, storage.rows());
  if (blocked) return taken(search_blocked_rows(first_row, count, k, metric, with), take);
  if (!storage.has_tiles())
    throw Error(ErrorCode::unsupported, "rows",
                fmt::format("{} search keeps no rows that could be read back as queries; "
                            "give them to search()",
                            to_string(options.method)));
  const auto gather = storage.device().create_commands(Timing::none);
  const auto unpack = [&](session::Round& round, std::uint64_t first, std::uint64_t rows_of_block) {
    gather->begin();
    storage.record_unpack(*gather, first_row + first, static_cast<std::uint32_t>(rows_of_block),
                          round.device_queries());
    gather->end();
    storage.device().submit(*gather);
    storage.device().wait();
  };
  // Of rows that are integers so are the queries, which are some of them.
  const auto values = [] { return QueryValues::either; };
  return search(count, k, metric, with,
                {.encode = unpack, .queries_on_device = true, .values = values, .take = taking(take, k)});
}

Neighbors Index::search(MatrixView<float> queries, std::uint64_t k, Metric metric, const SearchOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  return implementation_->search_given(queries, k, metric, options);
}

Neighbors Index::search_rows(std::uint64_t first_row, std::uint64_t count, std::uint64_t k, Metric metric,
                             const SearchOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  return implementation_->search_own(first_row, count, k, metric, options);
}

SearchReport index::PartOfMore::search(Index& part, const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                                       const SearchOptions& with, const TakeAnswers& take) {
  const InUse::Scope in_use(part.implementation_->in_use, "index");
  return part.implementation_->search_given(queries, k, metric, with, take).report;
}

SearchReport index::PartOfMore::search_rows(Index& part, std::uint64_t first_row, std::uint64_t count, std::uint64_t k,
                                            Metric metric, const SearchOptions& with, const TakeAnswers& take) {
  const InUse::Scope in_use(part.implementation_->in_use, "index");
  return part.implementation_->search_own(first_row, count, k, metric, with, take).report;
}

RangeNeighbors Index::range_search(MatrixView<float> queries, float radius, Metric metric,
                                   const SearchOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  index::check_queries(queries, dimensions());
  index::check_options(options, queries.rows, rows());
  if (options.after) throw Error(ErrorCode::invalid_argument, "after", "a range search has no pages");
  if (options.raw) throw Error(ErrorCode::unsupported, "raw", "a range search compares canonical distances");
  if (!options.self.empty())
    throw Error(ErrorCode::unsupported, "self", "a range search finds each row itself as well");
  RangeDescription wanted = self.describe_range(radius, metric);
  if (self.blocked) return self.range_search_blocked(queries, radius, metric, options);
  wanted.ordered = options.ordered;
  index::LiveFilter filter(self.live, options.filter);
  wanted.filter = filter.kind();

  const std::uint64_t words = wanted.filter == FilterKind::per_query ? options.filter.columns : 0;
  index::Shape shape;
  shape.within = wanted;
  Implementation::Call call;
  call.work = {queries.rows, session::queries_at_once((std::uint64_t{dimensions()} + 2 + words) * 4),
               self.work_per_query(Method::scan)};
  call.shape = [&](std::uint64_t, std::uint64_t count) {
    shape.within->queries = static_cast<std::uint32_t>(count);
    return shape;
  };
  call.plan = [&](const index::Shape& of, const session::Prepare& prepare) {
    prepare(index::plan_range(self.storage, *of.within), {});
  };
  call.encode = [&](session::Round& round, const index::Shape&, std::uint64_t first, std::uint64_t count) {
    self.asked_copy.run(queries.slice(first, count), static_cast<float*>(round.queries()));
    if (wanted.filter != FilterKind::none)
      self.asked_copy.run(filter.of(first, count), static_cast<std::uint32_t*>(round.filter()));
  };
  if (!self.range_pace) self.range_pace.emplace(self.storage.device());
  return self.session.within(call, rows(), *self.range_pace, options.progress);
}

std::uint64_t Index::rows() const { return implementation_->storage.rows(); }
std::uint32_t Index::dimensions() const { return implementation_->storage.dimensions(); }
ElementType Index::storage() const { return implementation_->options.storage; }
Method Index::method() const { return implementation_->options.method; }
double Index::build_milliseconds() const { return implementation_->build_milliseconds; }

}  // namespace proxel
