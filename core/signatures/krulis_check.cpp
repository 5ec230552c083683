#include "signatures/krulis_check.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "search/check.hpp"
#include "signatures/pivot_table.hpp"

namespace proxel::krulis {

void check_options(const KrulisOptions& options) {
  constexpr double least = 1e-20, most = 1e20;
  if (!(options.alpha >= least && options.alpha <= most))
    throw Error(ErrorCode::invalid_argument, "alpha",
                fmt::format("{} was given, {} to {} is allowed", options.alpha, least, most));
  search::require_enumerator("filter", options.filter, SignatureFilter::ptolemaic);
  search::require_enumerator("precision", options.precision, SqfdPrecision::float64);
  constexpr std::uint64_t largest_block = std::uint64_t{1} << 20;
  search::require_range("scan block", options.scan_block, 0, largest_block);
  search::require_range("range block", options.range_block, 1, largest_block);
  search::require_range("knn block", options.knn_block, 1, largest_block);
  search::require_range("pending blocks", options.pending, 0, largest_block);
  search::require_range("group", options.group, 0, search::most_rows);
  if (options.pivots.empty())
    search::require_range("pivot count", options.pivot_count, 1, PivotTable::most_pivots);
  else
    search::require_range("pivots", options.pivots.size(), 1, PivotTable::most_pivots);
}

void check_pivots(std::vector<std::uint32_t> pivots, std::uint64_t objects) {
  for (const std::uint32_t pivot : pivots) search::require_range("pivot", pivot, 0, objects - 1);
  std::sort(pivots.begin(), pivots.end());
  if (const auto twice = std::adjacent_find(pivots.begin(), pivots.end()); twice != pivots.end())
    throw Error(ErrorCode::invalid_argument, "pivots", fmt::format("{} was given twice, once is allowed", *twice));
}

std::vector<double> checked_weight_sums(const char* name, const Signatures& signatures) {
  search::require_range(fmt::format("centroids of {}", name).c_str(), signatures.longest(), 0,
                        passes::sqfd_most_centroids / 2);
  constexpr double most = 1e18;
  std::vector<double> sums(signatures.size());
  for (std::uint64_t i = 0; i < sums.size(); ++i) {
    const std::span<const float> weights = signatures.weights(i);
    sums[i] = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (sums[i] > most)
      throw Error(ErrorCode::invalid_argument, name,
                  fmt::format("the weights of signature {} add up to {}, 0 to {} is allowed", i, sums[i], most));
  }
  return sums;
}

}  // namespace proxel::krulis
