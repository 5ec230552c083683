#include "index/expected_times.hpp"

// What a scan takes a GPU.

#include <algorithm>
#include <cmath>
#include <optional>

#include "index/expected_sizes.hpp"
#include "search/list_length.hpp"
#include "search/occupancy.hpp"
#include "search/scan_shape.hpp"
#include "search/selection_times.hpp"

namespace proxel::index {
namespace {

// A scan. Fewer queries than share a tile read all rows each: milliseconds for each binary digit of the number of rows; more than one
// neighbour; a row, and the root of neighbours, for each query after the first; a coordinate for those where a cache has it; a key that a list
// takes; and a further round, in which all of it is read again.
struct ScanCosts {
  double bit, neighbors, pair, pair_of_root, cached_coordinate, taken, round;
};
constexpr ScanCosts cuda_scan = {3e-4, 0.016, 1.6e-8, 2.8e-9, 1.9e-10, 1e-5, 0.0166},
                    vulkan_scan = {6e-4, 0.012, 5e-10, 2.9e-9, 1.5e-10, 9.2e-6, 0.028};
// More queries read the rows anew, too, where a cache has all of them: for any search, each binary digit of the number of rows, a neighbour, a
// pair of a query and a row, one of its coordinates, a query, and one of its neighbours.
struct CachedScanCosts {
  double start, bit, neighbor, pair, coordinate, query, kept;
};
constexpr CachedScanCosts cuda_cached_scan = {0.0013, 0.0011, 5.1e-4, 2.04e-8, 3.4e-10, 2.8e-6, 1.3e-7},
                          vulkan_cached_scan = {0.0012, 0.0013, 8.3e-5, 7.5e-9, 2.6e-10, 1e-6, 5e-8};
// Else they share rows in tiles: for any search, and for a key that a list takes while it is sorted again and again; and in each round of
// neighbours for a pair of a tile, one of its coordinates, by squared differences and otherwise, and a distance that is selected from, apart
// from what the root of neighbours adds to it.
struct TiledScanCosts {
  double start, taken, pair, square, coordinate, selected, selected_of_root;
};
constexpr TiledScanCosts cuda_tiled_scan = {0.032, 1.23e-5, 8.2e-10, 1.1e-10, 8.1e-11, 1.7e-9, 2.4e-10},
                         vulkan_tiled_scan = {0.026, 8.1e-6, 1.1e-9, 1.26e-10, 9.4e-11, 1.2e-9, 2.4e-10};
// Of more neighbours than fused sorts, few queries sort sooner where rows are few, and of many each neighbour takes some time.
constexpr double few_of_tile = 32, rows_of_long_sort = 262144, sorted_neighbor = 7e-7;
// All distances of a block of queries are kept, and selected from (scan_listed.cpp): for a block, and for a distance, apart from what it
// takes in tiles; and apart from what a selection is expected to take, for a neighbour of the queries of a multiprocessor, which streaming sorts
// once more than needed, and for one of any query where there are more. Fitted to 1,106 searches for 65 to 500,000 neighbours.
struct ListedScanCosts {
  double block, distance, streamed, selected;
};
constexpr ListedScanCosts cuda_listed_scan = {0.006, 2.55e-9, 2.7e-6, 2.1e-8},
                          vulkan_listed_scan = {0.009, 2.5e-9, 4.3e-6, 2.2e-8};
// Numbered rows are listed a second time.
constexpr double numbered_distance = 3;
// One neighbour is found without lists: a share of what the cached scan takes otherwise, and for any search in tiles, and for a pair of one.
struct NearestScanCosts {
  double cached_share, start, pair;
};
constexpr NearestScanCosts cuda_nearest_scan = {0.28, 0.0093, 1.82e-9}, vulkan_nearest_scan = {0.43, 0.0109, 1.02e-9};
using search::narrow_tile, search::wide_tile;
// A coordinate that is read once, 4 bytes, and the values that a cache has.
constexpr double coordinate_once = 9.1e-10;
constexpr double cached_values = 9e6;

// What a block of queries takes.
double expected_listed_milliseconds(const SearchDescription& description, BackendKind backend, std::uint64_t queries,
                                    double tile, bool numbered) {
  const Sizes s(description);
  const bool through_vulkan = backend == BackendKind::vulkan;
  const ListedScanCosts& costs = through_vulkan ? vulkan_listed_scan : cuda_listed_scan;
  const TiledScanCosts& tiles = through_vulkan ? vulkan_tiled_scan : cuda_tiled_scan;
  const double term = accumulated(description.metric) == Metric::l2sq ? tiles.square : tiles.coordinate;
  const auto q = static_cast<double>(queries);
  SelectionDescription selection;
  selection.rows = queries;
  selection.columns = description.rows;
  selection.k = std::min(description.k, description.rows);
  const search::SelectingDevice device(static_cast<std::uint32_t>(multiprocessors), backend);
  const double ordered =
      selection.k <= search::most_streamed ? costs.streamed * std::max(1.0, q / multiprocessors) : costs.selected * q;
  return costs.block + s.n * std::ceil(q / tile) * tile * term * s.d +
         s.n * q * costs.distance * (numbered ? numbered_distance : 1) +
         search::selection_milliseconds(device, selection) + ordered * s.k;
}

// Nothing where lists are sooner.
std::optional<double> expected_listed_milliseconds(const SearchDescription& description, BackendKind backend,
                                                   bool wide) {
  if (description.counted) return {};
  const bool numbered = search::numbers_rows(description, 1);
  const std::uint64_t query_bytes = description.rows * (numbered ? 8 : 4);
  const std::uint32_t block = search::listed_queries(description, query_bytes, wide ? wide_tile : narrow_tile);
  const std::uint64_t selectable =
      std::min(description.k, std::max<std::uint64_t>(description.rows, search::longest_list));
  const std::uint64_t rounds = search::divide_up<std::uint64_t>(selectable, search::longest_list);
  if (!search::lists_distances(description, rounds, block, numbered, false)) return {};
  const double tile = wide && block > narrow_tile ? wide_tile : narrow_tile;
  return over_blocks(description.queries, block, [&](std::uint64_t queries) {
    return expected_listed_milliseconds(description, backend, queries, tile, numbered);
  });
}

}  // namespace

double expected_scan_milliseconds(const SearchDescription& description, BackendKind backend) {
  const Sizes s(description);
  const bool through_vulkan = backend == BackendKind::vulkan;
  const bool wide = s.q > narrow_tile && std::ceil(s.n / wide_tile) * std::ceil(s.q / wide_tile) >= multiprocessors;
  if (const auto listed = expected_listed_milliseconds(description, backend, wide)) return *listed;
  const double bits = std::log2(std::max(s.n, 2.0));
  if (description.queries < search::few_queries) {
    const ScanCosts& costs = through_vulkan ? vulkan_scan : cuda_scan;
    const double coordinate_again = s.n * s.d <= cached_values ? costs.cached_coordinate : coordinate_once;
    const double rounds = std::ceil(s.k / search::longest_list);
    const double pair = costs.pair + costs.pair_of_root * std::sqrt(std::min<double>(s.k, search::longest_list));
    return costs.bit * bits + costs.neighbors * std::sqrt(1 - 1 / std::max(s.k, 1.0)) +
           costs.taken * s.k * std::log2(1 + s.n / std::max(s.k, 1.0)) + costs.round * (rounds - 1) +
           rounds * s.n *
               (std::max(coordinate_once * s.d, pair + costs.cached_coordinate * s.d) +
                (s.q - 1) * (pair + coordinate_again * s.d));
  }
  const NearestScanCosts& nearest = through_vulkan ? vulkan_nearest_scan : cuda_nearest_scan;
  const bool lists = description.k > 1;
  if (search::reads_rows_anew(description)) {
    const CachedScanCosts& costs = through_vulkan ? vulkan_cached_scan : cuda_cached_scan;
    const double share = lists ? 1 : nearest.cached_share;
    return share * (costs.start + costs.bit * bits + costs.neighbor * s.k + s.q * (costs.query + costs.kept * s.k) +
                    s.q * s.n * (costs.pair + costs.coordinate * s.d));
  }
  const TiledScanCosts& costs = through_vulkan ? vulkan_tiled_scan : cuda_tiled_scan;
  const double tile = wide ? wide_tile : narrow_tile, of_tiles = std::ceil(s.q / tile) * tile;
  const double term = accumulated(description.metric) == Metric::l2sq ? costs.square : costs.coordinate;
  if (!lists) return nearest.start + s.n * of_tiles * (nearest.pair + term * s.d);
  const double rounds = std::ceil(s.k / search::longest_list), last = s.k - (rounds - 1) * search::longest_list;
  const double roots = (rounds - 1) * std::sqrt(search::longest_list) + std::sqrt(last);
  const double taken = costs.taken * std::min(s.n, 4 * s.k) * std::log2(1 + s.n / std::max(s.k, 1.0));
  const double sorted = s.k < counted_neighbors ? taken
                        : s.q < few_of_tile     ? taken * std::min(1.0, std::pow(s.n / rows_of_long_sort, 0.35))
                                                : std::max(taken, sorted_neighbor * s.q * s.k);
  return costs.start + sorted + rounds * s.n * of_tiles * (costs.pair + term * s.d) +
         s.n * s.q * (rounds * costs.selected + roots * costs.selected_of_root);
}

}  // namespace proxel::index
