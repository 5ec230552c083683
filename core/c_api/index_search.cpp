// Searches of indexes of every kind.
#include "c_api/answer.hpp"
#include "c_api/held_index.hpp"
#include "c_api/names.hpp"
#include "c_api/objects.hpp"
#include "proxel/graph.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

// Calls with what a kind's searches take behind k or the radius.
template <typename Own, typename Search>
auto search_with(const SearchRequest& with, const Search& search) {
  if constexpr (OfVectors<Own>)
    return search(with.metric, with.options);
  else if constexpr (OfPermutations<Own>)
    return search(with.fraction, with.options.progress);
  else
    return search(with.options.progress);
}

// Gives what a search of any kind finds. @param search  calls the index of C++
template <typename Search>
proxel_status give(proxel_index* index, proxel_answer** answer, const char* what, const Search& search) {
  return guarded([&] {
    required(answer, "answer");
    *answer = make_lone_handle<proxel_answer>(with_index<Answer>(*handled(index, "index"), what, search));
  });
}

template <typename Own, typename Found>
Answer answer_of(const Own& own, Found found, Metric metric, bool ordered = false) {
  std::optional<Metric> searched_by;
  if constexpr (OfVectors<Own>) searched_by = metric;
  if constexpr (requires { own.metric(); }) searched_by = own.metric();
  return {std::move(found), searched_by, ordered};
}

// The sample of a choice; without any, the index makes its own.
template <OfPermutations Own>
QueriesOf<Own> sample_of(const proxel_objects* given, const Own& own) {
  if (given) return Objects(given, "queries").as<QueriesOf<Own>>();
  if constexpr (std::is_same_v<QueriesOf<Own>, Strings>)
    return Strings(own.units());
  else if constexpr (std::is_same_v<QueriesOf<Own>, Signatures>)
    return Signatures(own.dimensions());
  else
    return {};
}

void tell_choice(const FractionChoice& found, proxel_fraction_choice* choice) {
  write_struct(choice, {.struct_size = 0, .fraction = found.fraction, .recall = found.recall, .queries = found.queries},
               "choice");
}

}  // namespace

proxel_status proxel_index_search(proxel_index* index, const proxel_objects* queries, uint64_t k,
                                  const proxel_search_options* options, proxel_answer** answer) {
  return give(index, answer, "", [&]<typename Own>(Own& own) {
    const Objects asked(queries, "queries");
    const SearchRequest with(options, known_to(own, "searches"));
    const auto found = [&] {
      if constexpr (OfVectors<Own>)
        if (const auto rows = asked.own_rows())
          return own.search_rows(rows->first, rows->count, k, with.metric, with.options);
      const auto wanted = asked.as<QueriesOf<Own>>();
      return search_with<Own>(with, [&](const auto&... rest) { return own.search(wanted, k, rest...); });
    };
    return answer_of(own, found(), with.metric, with.options.ordered);
  });
}

proxel_status proxel_index_range_search(proxel_index* index, const proxel_objects* queries, float radius,
                                        const proxel_search_options* options, proxel_answer** answer) {
  return give(index, answer, "", [&]<typename Own>(Own& own) {
    const SearchRequest with(options, known_to(own, "range searches", options_of_nearest));
    const auto wanted = Objects(queries, "queries").as<QueriesOf<Own>>();
    const auto search = [&](const auto&... rest) { return own.range_search(wanted, radius, rest...); };
    return answer_of(own, search_with<Own>(with, search), with.metric);
  });
}

proxel_status proxel_index_distances(proxel_index* index, const proxel_objects* queries,
                                     const proxel_search_options* options, proxel_answer** answer) {
  return give(index, answer, "search for all distances", [&]<WithAllDistances Own>(Own& own) {
    const SearchRequest with(options, known_to(own, "searches for all distances", options_of_nearest));
    const auto wanted = Objects(queries, "queries").as<QueriesOf<Own>>();
    return answer_of(own, own.distances(wanted, with.options.progress), with.metric);
  });
}

proxel_status proxel_index_knn_graph(proxel_index* index, uint64_t k, const proxel_graph_options* options,
                                     proxel_answer** answer) {
  return give(index, answer, "graph", [&](OfVectors auto& own) {
    const proxel_graph_options given = read_struct(options, "options");
    const Metric metric = metric_named(given.metric);
    GraphOptions with;
    with.exclude_self = !is_set(given.include_self, "include_self");
    if (given.rows) with.rows = matrix_of(given.rows, "rows");
    with.progress = progress_of(given.progress, given.progress_user);
    return answer_of(own, knn_graph(own, k, metric, with), metric);
  });
}

proxel_status proxel_index_choose_fraction(proxel_index* index, double recall, uint64_t k,
                                           const proxel_objects* queries, proxel_progress progress, void* progress_user,
                                           proxel_fraction_choice* choice) {
  return use_index(index, "fractions", [&](OfPermutations auto& own) {
    check_writable(choice, "choice");
    const Progress told = progress_of(progress, progress_user);
    tell_choice(own.choose_fraction(recall, k, sample_of(queries, own), told), choice);
  });
}

proxel_status proxel_index_choose_range_fraction(proxel_index* index, double recall, float radius,
                                                 const proxel_objects* queries, proxel_progress progress,
                                                 void* progress_user, proxel_fraction_choice* choice) {
  return use_index(index, "fractions of range searches", [&]<WithRangeFractions Own>(Own& own) {
    check_writable(choice, "choice");
    const Progress told = progress_of(progress, progress_user);
    tell_choice(own.choose_range_fraction(recall, radius, sample_of(queries, own), told), choice);
  });
}
