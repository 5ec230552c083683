#include "c_api/requests.hpp"

#include <fmt/format.h>

#include "c_api/answer.hpp"
#include "c_api/names.hpp"
#include "c_api/objects.hpp"

namespace proxel::c_api {
namespace {

struct Member {
  Option option;
  const char* name;
  bool is_set;
};

void refuse_unknown(const Known& known, std::initializer_list<Member> members) {
  for (const Member& member : members)
    if (member.is_set && !(known.options & member.option))
      throw Error(ErrorCode::unsupported, member.name,
                  fmt::format("is not known to {} of kind {}", known.searches, known.kind));
}

const Neighbors& page_before(const proxel_answer* answer, Metric metric, bool ordered) {
  const Answer& page = handled(answer, "after");
  if (page.metric() != metric)
    refuse("after",
           fmt::format("was searched by {}, this search is by {}", to_string(page.metric()), to_string(metric)));
  if (accumulated(metric) != metric && page.is_ordered() != ordered)
    refuse("after", ordered ? "is not ordered, and this search is" : "is ordered, and this search is not");
  return page.nearest("after");
}

}  // namespace

SearchRequest::SearchRequest(const proxel_search_options* given, const Known& known) {
  const proxel_search_options with = read_struct(given, "options");
  refuse_unknown(known, {{option_metric, "metric", with.metric != nullptr},
                         {option_fraction, "fraction", with.fraction != 0},
                         {option_raw, "raw", with.raw != 0},
                         {option_ordered, "ordered", with.ordered != 0},
                         {option_filter, "filter", with.filter != nullptr},
                         {option_continued, "after", with.after != nullptr},
                         {option_self, "self", with.self != nullptr}});
  metric = metric_named(with.metric);
  fraction = with.fraction;
  options.progress = progress_of(with.progress, with.progress_user);
  options.raw = is_set(with.raw, "raw");
  options.ordered = is_set(with.ordered, "ordered");
  if (with.filter)
    options.filter = {with.filter, with.filter_rows, with.filter_words,
                      stride_of(with.filter_stride, with.filter_rows, with.filter_words, "filter", "filter_stride"), 1};
  if (with.self) options.self = {with.self, with.self_count};
  if (with.after) options.after = &page_before(with.after, metric, options.ordered);
}

PlanRequest::PlanRequest(const proxel_plan_options* given, const Known& known) {
  const proxel_plan_options with = read_struct(given, "options");
  refuse_unknown(known, {{option_metric, "metric", with.metric != nullptr},
                         {option_fraction, "fraction", with.fraction != 0},
                         {option_ordered, "ordered", with.ordered != 0},
                         {option_filter, "filter", filter_named(with.filter) != FilterKind::none},
                         {option_continued, "continued", with.continued != 0},
                         {option_counted, "counted", with.counted != 0},
                         {option_longest_query, "longest_query", with.longest_query != 0},
                         {option_self, "exclude_self", with.exclude_self != 0}});
  metric = metric_named(with.metric);
  fraction = with.fraction;
  longest_query = narrow(with.longest_query, "longest_query");
  options = {filter_named(with.filter), is_set(with.continued, "continued"), is_set(with.counted, "counted"),
             is_set(with.ordered, "ordered"), is_set(with.exclude_self, "exclude_self")};
}

}  // namespace proxel::c_api
