// Which method answers a search of an index.
#include <algorithm>

#include <fmt/format.h>

#include "index/blocks.hpp"
#include "index/decorated_plans.hpp"
#include "index/implementation.hpp"
#include "index/part_of_more.hpp"
#include "index/without_self.hpp"
#include "proxel/error.hpp"
#include "search/check.hpp"

namespace proxel {

SearchDescription Index::Implementation::describe(std::uint32_t queries, std::uint64_t k, Metric metric) const {
  search::require_metric(metric);
  SearchDescription wanted = description;
  wanted.metric = metric;
  wanted.queries = queries;
  wanted.k = k;
  if (live.removed() != 0) wanted.filter = FilterKind::shared;
  return wanted;
}

std::uint64_t Index::Implementation::wider_by_self(std::uint64_t k) const {
  const bool nameless = options.papers.garcia.distances_only &&
                        (options.method == Method::garcia_direct || options.method == Method::garcia_gemm);
  if (nameless) throw Error(ErrorCode::unsupported, "self", "distances alone do not tell which of them is a row's own");
  return index::wider_by_self(k);
}

Support Index::Implementation::served_by(Method candidate, const SearchDescription& wanted) const {
  const Support support = searchers.at(candidate)->serves(wanted);
  return support ? searchers.at(candidate)->supports_narrowing(wanted) : support;
}

void Index::Implementation::be_part_of(std::uint64_t rows) {
  whole_rows = rows;
  if (blocked) return blocked->be_part_of(rows);
  const std::span<const Method> over_tiles = index::answering_methods(Method::automatic);
  if (std::ranges::find(over_tiles, options.method) == over_tiles.end() || searchers.contains(Method::scan)) return;
  methods.push_back(Method::scan);
  searchers.emplace(Method::scan, index::entry_of(Method::scan).make(context()));
}

void index::PartOfMore::tell(Index& part, std::uint64_t rows) { part.implementation_->be_part_of(rows); }

Support Index::Implementation::whole_served(SearchDescription wanted) const {
  if (whole_rows == 0 || options.method == Method::automatic) return Support::yes();
  const std::uint64_t fewest = searchers.at(options.method)->fewest_rows(wanted.k);
  wanted.rows = std::max(wanted.rows, std::min(whole_rows, fewest));
  // Behind a page the scan answers for a method that does not continue.
  wanted.continued = false;
  return served_by(options.method, wanted);
}

Support Index::Implementation::find_method(const SearchDescription& wanted, FilterKind given, Method& found) const {
  const std::uint64_t k = wanted.k;
  if (k == 0 || k > search::most_k)
    return Support::no(Limit::neighbors, fmt::format("{} was given, 1 to {} is allowed", k, search::most_k));
  if (torn()) return supports_anything();
  if (blocked) return blocked->find_method(wanted, given, found);
  found = Method::scan;
  Support support = whole_served(wanted);
  if (!support) return support;
  SearchDescription asked = wanted;
  asked.filter = given;
  for (const Method candidate : methods) {
    found = candidate;
    support = served_by(candidate, wanted);
    if (support && (options.method != Method::automatic || searchers.at(candidate)->worthwhile(asked))) break;
  }
  if (!support && live.removed() != 0)
    support.reason += "; rows have been removed, which takes a filter until compact() has been called";
  return support;
}

void Index::Implementation::count(SearchDescription wanted, FilterKind given, std::uint64_t searches) {
  wanted.filter = given;
  for (const auto& [method, searcher] : searchers) searcher->count(wanted, searches);
}

Method Index::Implementation::checked_method(const SearchDescription& wanted, FilterKind given) const {
  Method found;
  if (const Support support = find_method(wanted, given, found); !support) {
    const bool outside = wanted.k == 0 || wanted.k > search::most_k;
    const auto answers = [&](std::uint64_t k) {
      return bool(find_method(describe(1, k, wanted.metric), FilterKind::none, found));
    };
    // At fault is what it would be answered without.
    const bool by_options = !outside && (answers(wanted.k) || support.limit == Limit::method);
    const bool by_k = outside || support.limit == Limit::neighbors || answers(1);
    const char* subject = by_options ? "options" : by_k ? "k" : "metric";
    throw Error(outside ? ErrorCode::invalid_argument : ErrorCode::unsupported, subject, support.reason);
  }
  return found;
}

void Index::Implementation::plan(Method answering, const SearchDescription& wanted, const UsePlan& use) {
  for (auto candidate = std::find(methods.begin(), methods.end(), answering);; ++candidate) {
    index::Searcher& searcher = *searchers.at(*candidate);
    // The first has been chosen; the last serves everything.
    if (*candidate != answering && *candidate != methods.back() && !served_by(*candidate, wanted)) continue;
    try {
      use(index::answering(*candidate, index::normalizing(storage.device(), wanted.metric,
                                                          {wanted.queries, wanted.dimensions}, searcher.plan(wanted))));
      return;
    } catch (const Error& error) {
      // Only planning tells whether the device has the shared memory of every pass.
      const bool another_may = error.code() == ErrorCode::out_of_memory || error.code() == ErrorCode::unsupported;
      if (*candidate == methods.back() || !another_may) throw;
    }
  }
}

Support Index::supports(Metric metric, std::uint64_t k) const {
  Method found;
  return implementation_->find_method(implementation_->describe(1, k, metric), FilterKind::none, found);
}

Method Index::method(Metric metric, std::uint64_t k, std::uint32_t queries) const {
  return implementation_->checked_method(implementation_->describe(queries, k, metric));
}

}  // namespace proxel
