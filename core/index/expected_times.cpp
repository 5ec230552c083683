#include "index/expected_times.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "index/choice_limits.hpp"
#include "proxel/passes/screen_refine.h"
#include "proxel/screened.hpp"
#include "search/code_errors.hpp"
#include "search/decode.hpp"
#include "search/list_length.hpp"
#include "search/occupancy.hpp"
#include "search/scan_shape.hpp"
#include "search/selection_times.hpp"

namespace proxel::index {
namespace {

// The sizes as real numbers.
struct Sizes {
  double n, d, q, k;
  explicit Sizes(const SearchDescription& description)
      : n(static_cast<double>(description.rows)),
        d(description.dimensions),
        q(static_cast<double>(description.queries)),
        k(static_cast<double>(description.k)) {}
};

// Passes that start one after another, milliseconds for: any search, the neighbours to be sorted, a row, a row that is
// compared with a query, a product of their coordinates; for a query, and a neighbour that is kept for it, where these take longer. Fewer queries than
// a workgroup has take as long as those. Rows of more than two blocks have another kernel, which begins later, and later for each coordinate.
struct PassCosts {
  double start, neighbors, row, pair, product, query, kept, workgroup_queries, deep, deeper;
};
constexpr PassCosts cuda_costs = {0.0263, 3.6e-4, 1e-8, 6e-10, 2.1e-12, 1.36e-5, 2.2e-7, 49, 0.0015, 5.3e-5};
constexpr PassCosts vulkan_costs = {0.041, 7.1e-4, 6e-10, 7e-10, 9e-12, 2.34e-5, 2.5e-7, 49, 0.024, 9e-5};
constexpr double shallow_dimensions = 2 * passes::screen_block_depth;
// Neighbours that are counted: for the root of their number; for a query; for each of its neighbours, which takes the longer the more there are,
// as caches hold fewer of their keys; and for a coordinate of one. Fewer queries leave multiprocessors idle, and what is waited for is as long for
// many as for some more. Fitted to 1,019 searches for 257 to 65,536 neighbours (docs/lab/scan.md).
struct CountedNeighborCosts {
  double root, query, kept, longer, coordinate, queries, waiting;
};
constexpr CountedNeighborCosts cuda_counted_neighbors = {1.9e-4, 7.93e-5, 3.22e-8, 0.361, 8.4e-10, 72, 76},
                               vulkan_counted_neighbors = {2.7e-4, 8.42e-5, 2.15e-8, 0.523, 1.03e-9, 53, 84};
// Scratch memory for each neighbour, and for each row within the error of codes and of a wide step of them, bytes, which divides queries into blocks of whole tiles.
constexpr double bytes_of_counted = 27.2, bytes_of_coded = 18;

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
// Multiprocessors of the devices that all of this was measured on. Fewer tiles of 128 rows and queries than these have half as many of both.
constexpr double multiprocessors = 132;
using search::narrow_tile, search::wide_tile;
// A coordinate that is read once, 4 bytes, and the values that a cache has.
constexpr double coordinate_once = 9.1e-10;
constexpr double cached_values = 9e6;
// A block of a row's halves, 128 bytes.
constexpr double block_once = 3.05e-8;

// Codes, milliseconds for a neighbour, for any search, and for a byte of one query and of several, each of which a shader unpacks.
constexpr double coded_neighbor = 1.3e-4;
struct CodeCosts {
  double start, byte, byte_of_several;
};
constexpr CodeCosts cuda_codes = {0.024, 2.6e-10, 3.3e-10}, vulkan_codes = {0.0225, 3e-10, 1.9e-9};
// Evaluation for a query of ten neighbours among 1,000,000 rows in 128 dimensions, and what each further query adds to it.
constexpr double evaluation_of_codes = 0.0091, of_further_query = 0.31;

// From this many neighbours on they are counted, not sorted (ScreenedPlan), and more of them cost hardly more.
constexpr double counted_neighbors = 257;
// From these many on a walk through boxes leaves a multiprocessor room for fewer queries; through Vulkan the latter are more.
constexpr std::uint64_t neighbors_of_long_lists = 129, neighbors_of_longer_lists = 300,
                        neighbors_of_longer_lists_through_vulkan = 541;

// The error of `l1` is the sum of all coordinates' errors.
constexpr double further_error_of_l1 = 2.9;

// Codes of many queries, milliseconds for any search, for a pair of a query and a row, and for one of its coordinates, by either metric; for
// a coordinate of a row that is evaluated, and for the rows that are collected, some six for each of these, where one workgroup looks at those
// of a query and where they are listed. Fewer queries than a tile has take as long as those.
struct DifferenceCosts {
  double start;
  struct {
    double pair, coordinate;
  } l1, linf;
  struct {
    double evaluated, collected;
  } kept, listed;
};
constexpr DifferenceCosts cuda_differences = {0.0375,
                                              {3e-10, 2.7e-11},
                                              {5e-10, 5.85e-11},
                                              {5e-9, 9e-8},
                                              {1.6e-9, 1.9e-7}},
                          vulkan_differences = {
                              0.0525, {7e-10, 7.2e-11}, {8e-10, 6.4e-11}, {6.5e-9, 9e-8}, {2.5e-9, 1.5e-7}};
constexpr double queries_of_tile = 128;
double whole_tiles(double queries) { return std::ceil(queries / queries_of_tile) * queries_of_tile; }
// What one workgroup looks at takes less by linf, whose terms are compared.
constexpr double kept_by_linf = 0.55;
// More neighbours than are sorted, of both: for any search, for a pair of a query and a row and for one of its coordinates, and for a coordinate of
// a row that is near and for the row, which takes the longer the more neighbours there are. Fewer queries leave
// multiprocessors idle. Fitted to 186 searches by codes and to 165 by canonical thresholds, for 257 to 54,849 neighbours (docs/lab/differences.md).
struct CountedCosts {
  double start, pair, coordinate, evaluated, collected, longer, queries;
};
struct CountedSearchCosts {
  CountedCosts l1, linf, distances, few_dimensions;
};
constexpr CountedSearchCosts cuda_counted = {{0.0402, 6.6e-10, 4.86e-11, 3.3e-10, 9.35e-8, 0.42, 152},
                                             {0.0421, 4.5e-10, 6.97e-11, 3.39e-9, 1.64e-7, 0.37, 119},
                                             {0.0376, 9.8e-10, 2.18e-10, 6.69e-9, 1.32e-7, 0.21, 65},
                                             {0.0259, 1.45e-9, 2.46e-10, 4.67e-9, 1.2e-7, 0.05, 67}},
                             vulkan_counted = {{0.0476, 1.96e-9, 1.04e-10, 8.2e-10, 1.18e-7, 0.055, 111},
                                               {0.0527, 0, 7.34e-11, 4.34e-9, 1.73e-7, 0.24, 97},
                                               {0.063, 6.1e-10, 2.63e-10, 3.54e-9, 1.64e-7, 0.36, 46},
                                               {0.0365, 3.75e-9, 4e-12, 1.26e-8, 8.9e-8, 0.28, 52}};

// What all queries take where scratch memory divides them into blocks of whole tiles.
// @param bytes         of it for each neighbour
// @param milliseconds  what so many queries take
double over_blocks(const SearchDescription& description, double bytes,
                   const std::function<double(double)>& milliseconds) {
  const Sizes s(description);
  const double queries = std::max(s.q, 1.0);
  const double fitting = static_cast<double>(description.scratch_limit) / (bytes * std::max(s.k, 1.0));
  const double most = std::max(std::floor(fitting / queries_of_tile), 1.0) * queries_of_tile;
  const double block = std::min(queries, whole_tiles(queries / std::ceil(queries / most)));
  const double whole = std::floor(queries / block), left = queries - whole * block;
  return whole * milliseconds(block) + (left > 0 ? milliseconds(left) : 0);
}

// @param near   rows that are near for each neighbour
// @param bytes  of scratch memory for each
double expected_counted_milliseconds(const SearchDescription& description, const CountedCosts& costs, double near,
                                     double bytes) {
  const Sizes s(description);
  return over_blocks(description, bytes, [&](double queries) {
    return costs.start + whole_tiles(queries) * s.n * (costs.pair + costs.coordinate * s.d) +
           std::max(queries, costs.queries) * s.k * near *
               (costs.evaluated * s.d + costs.collected * std::pow(std::max(1.0, s.k / 1000), costs.longer));
  });
}

const CountedSearchCosts& counted_costs(BackendKind backend) {
  return backend == BackendKind::vulkan ? vulkan_counted : cuda_counted;
}

// Canonical thresholds, milliseconds for any search, for a pair, for one of its coordinates, and for a coordinate of a neighbour. Fewer queries
// than a tile has take as long as those.
struct DistanceCosts {
  double start, pair, coordinate, neighbor;
};
constexpr DistanceCosts cuda_distances = {0.028, 1e-9, 9.2e-11, 5.5e-8},
                        vulkan_distances = {0.0325, 1.2e-9, 1.28e-10, 5.5e-8};
// The same in few dimensions, fitted to 101 searches by each backend: for any search, the root of neighbours, a pair, one of its coordinates, a
// neighbour that is kept for a query, and a row for the root of neighbours.
struct FewDimensionsCosts {
  double start, neighbors, pair, coordinate, kept, row;
};
constexpr FewDimensionsCosts cuda_few_dimensions = {0.0195, 2e-4, 9.15e-10, 9.9e-11, 3.8e-7, 3.7e-9},
                             vulkan_few_dimensions = {0.0231, 1.31e-3, 1.95e-9, 1.7e-11, 3.8e-7, 3.8e-9};

double expected_distances_milliseconds(const SearchDescription& description, BackendKind backend) {
  const Sizes s(description);
  const bool few = description.dimensions <= few_dimensions;
  if (s.k >= counted_neighbors) {
    const CountedSearchCosts& costs = counted_costs(backend);
    return expected_counted_milliseconds(description, few ? costs.few_dimensions : costs.distances, 1,
                                         bytes_of_counted);
  }
  if (few) {
    const FewDimensionsCosts& costs = backend == BackendKind::vulkan ? vulkan_few_dimensions : cuda_few_dimensions;
    return costs.start + costs.neighbors * std::sqrt(s.k) +
           whole_tiles(s.q) * s.n * (costs.pair + costs.coordinate * s.d) + s.q * s.k * costs.kept +
           costs.row * s.n * std::sqrt(s.k);
  }
  const DistanceCosts& costs = backend == BackendKind::vulkan ? vulkan_distances : cuda_distances;
  return costs.start + whole_tiles(s.q) * s.n * (costs.pair + costs.coordinate * s.d) +
         s.q * s.k * costs.neighbor * s.d;
}

// More rows within their error are as good as undecided: for a query and for each neighbour, or for each where neighbours are many.
constexpr double most_within_error = 1500, most_for_few_neighbors = 250, most_for_a_neighbor = 14;

double near_by_codes(const SearchDescription& description) {
  return search::near_by_codes(accumulated(description.metric), description.rows, description.dimensions,
                               description.k);
}

double expected_differences_milliseconds(const SearchDescription& description, BackendKind backend) {
  const Sizes s(description);
  const bool by_l1 = accumulated(description.metric) == Metric::l1;
  // Plans have room for more by linf than there are where neighbours are many.
  const double room = near_by_codes(description);
  const bool by_linf = accumulated(description.metric) == Metric::linf;
  const double near = by_linf ? std::min(room, 0.31 * std::pow(s.n / s.k, 0.4)) : room;
  if (s.k >= counted_neighbors) {
    const CountedSearchCosts& costs = counted_costs(backend);
    return expected_counted_milliseconds(
        description, by_l1 ? costs.l1 : costs.linf, near,
        bytes_of_coded * search::wide_step(accumulated(description.metric), room) * room);
  }
  const DifferenceCosts& costs = backend == BackendKind::vulkan ? vulkan_differences : cuda_differences;
  const auto& of = by_l1 ? costs.l1 : costs.linf;
  const double most_kept = s.q <= multiprocessors ? search::most_kept_of_few : passes::screen_most_survivors;
  const bool listed = search::room_for_near(room, description.k) > most_kept;
  const auto& left = listed ? costs.listed : costs.kept;
  const double share = by_linf && !listed ? kept_by_linf : 1;
  return costs.start + whole_tiles(s.q) * s.n * (of.pair + of.coordinate * s.d) +
         share * s.q * (left.evaluated * s.d + left.collected) * s.k * near;
}

// Few queries read all rows, and list what is near; of more a matrix is made, from which they are selected.
double expected_scan_on_host(const SearchDescription& description) {
  const Sizes s(description);
  if (description.queries < search::few_queries)
    return 0.03 + 4.45e-8 * s.n * s.d * (0.42 + s.q) + 8.6e-6 * s.q * std::pow(s.k, 0.467) * std::pow(s.n, 0.633);
  return 0.062 + s.q * (1.9e-8 * s.n * s.d + 3.34e-7 * s.n + 2.94e-5 * std::pow(s.k, 0.546) * std::pow(s.n, 0.42));
}

// Rows that a processor looks at for each neighbour, as codes leave them.
double near_on_cpu(const SearchDescription& description) {
  const Metric metric = accumulated(description.metric);
  if (metric == Metric::linf) return 7.2;
  return search::near_within(metric == Metric::l1 ? 0.055 : 0.0345, description.rows, description.dimensions,
                             description.k);
}

}  // namespace

double expected_codes_milliseconds(const SearchDescription& description, BackendKind backend) {
  if (description.queries > ScreenedPlan::most_listed_queries)
    return expected_differences_milliseconds(description, backend);
  if (description.dimensions >= undecided_dimensions) return std::numeric_limits<double>::infinity();
  const Sizes s(description);
  const CodeCosts& costs = backend == BackendKind::vulkan ? vulkan_codes : cuda_codes;
  // The more dimensions there are, and rows, the more rows are as near as the step of a code.
  const double error = std::sqrt(s.d) + (search::answered_metric(description) == Metric::l1 ? further_error_of_l1 : 0);
  const double evaluated = coded_neighbor * s.k + evaluation_of_codes * std::pow(s.k / 10, 0.966) *
                                                      std::pow(s.n / 1e6, 0.664) *
                                                      std::exp(0.36 * (error - std::sqrt(128)));
  const double byte = description.queries == 1 ? costs.byte : costs.byte_of_several;
  // Four queries share what they read.
  return costs.start + byte * s.n * s.d * std::ceil(s.q / 4) + (1 + of_further_query * (s.q - 1)) * evaluated;
}

bool codes_before_distances(const SearchDescription& description, BackendKind backend) {
  if (description.dimensions <= few_dimensions) return false;
  if (description.queries > ScreenedPlan::most_listed_queries) {
    const double near = near_by_codes(description), all = near * static_cast<double>(description.k);
    if (near > most_for_a_neighbor && (near > most_for_few_neighbors || all > most_within_error)) return false;
  }
  return expected_codes_milliseconds(description, backend) < expected_distances_milliseconds(description, backend);
}

bool codes_before_halves(const SearchDescription& description, BackendKind backend) {
  return expected_codes_milliseconds(description, backend) < expected_fused_milliseconds(description, backend, true);
}

bool codes_spare_time_on_cpu(const SearchDescription& description) {
  // Too few rows for any difference to matter.
  if (description.rows < worthwhile_coded_rows) return false;
  const Sizes s(description);
  const double codes = 1.48e-8 * s.n * s.d * std::pow(s.q, 0.386);
  const double of_query = 0.0176 * std::pow(s.k, 0.412) + s.k * near_on_cpu(description) * (2.36e-4 + 9.8e-7 * s.d);
  return codes + s.q * of_query < expected_scan_on_host(description);
}

bool on_matrix_units(const Storage& storage, Metric metric) {
  // On a line neighbours are too near each other for half precision.
  return storage.dimensions() > 1 &&
         ScreenedRows::supports(storage.device(), metric, storage.rows(), storage.dimensions());
}

bool multiplies_integers(const Device& device, Metric metric, std::uint64_t rows, std::uint32_t dimensions) {
  return bool(ScreenedRows::supports(device, metric, rows, dimensions, ScreenOperand::int8)) &&
         (ScreenedPlan::on_matrix_units(device, ScreenOperand::int8) ||
          !ScreenedPlan::on_matrix_units(device, ScreenOperand::halves));
}

// A query walks from box to box, one step after another, so that few queries take as long as
// those that fill the device; more neighbours mean more boxes, and fewer queries at a time.
double expected_bvh_milliseconds(const SearchDescription& description, BackendKind backend) {
  const Sizes s(description);
  const double walk = (0.003 + 0.0053 * s.d) * std::pow(std::max(s.n, 1024.0) / 1024, 0.048 * s.d) *
                      (0.5 + 0.5 * std::pow(s.k / 20, 0.875 - 0.043 * s.d));
  // What is near by l1 reaches into more boxes.
  const double wider = accumulated(description.metric) == Metric::l1 ? std::exp(0.22 * std::max(0.0, s.d - 5)) : 1;
  const double at_a_time = 4600 / (1 + s.k / 580);
  const bool through_vulkan = backend == BackendKind::vulkan;
  const std::uint64_t many = through_vulkan ? neighbors_of_longer_lists_through_vulkan : neighbors_of_longer_lists;
  const double longer = description.k < neighbors_of_long_lists ? 0 : description.k < many ? 0.12 : 0.52;
  const double fuller = 1 + longer * std::min(1.0, s.q / 1000);
  return walk * wider * std::max(1.0, s.q / at_a_time) * fuller * (through_vulkan ? 1.6 : 1);
}

HostTimes expected_times_on_host(const SearchDescription& description, BackendKind backend) {
  const Sizes s(description);
  const double through_backend = backend == BackendKind::vulkan ? 2.2 : 1;
  // A query is one thread's, so that two and three take as long; of a single one, which is searched again, caches have the boxes.
  const double queries = description.queries == 1 ? 1.32 : std::max(s.q, 3.0);
  const double boxes = (0.8 + 0.0586 * s.d) * std::pow(std::max(s.n, 1024.0) / 1024, 0.07 * s.d) *
                       (1 + 0.129 * std::pow(s.k, 0.73 - 0.0203 * s.d));
  return {expected_scan_on_host(description), through_backend * boxes * queries / 1000, 0.3 + 0.00025 * s.n * s.d};
}

namespace {

// What a block of queries takes on matrix units.
double expected_halves_milliseconds(const SearchDescription& description, BackendKind backend, double queries) {
  const Sizes s(description);
  const bool through_vulkan = backend == BackendKind::vulkan;
  const PassCosts& costs = through_vulkan ? vulkan_costs : cuda_costs;
  const CountedNeighborCosts& many = through_vulkan ? vulkan_counted_neighbors : cuda_counted_neighbors;
  const double of_counted = many.query + s.k * (many.kept * std::pow(s.k / 1000, many.longer) + many.coordinate * s.d);
  const bool counted = s.k >= counted_neighbors;
  const double neighbors =
      counted ? many.root * std::sqrt(s.k) + (std::max(queries, many.queries) + many.waiting) * of_counted
              : costs.neighbors * std::sqrt(s.k);
  const double sorted = counted ? 0 : queries * (costs.query + costs.kept * s.k);
  const double products = std::max(queries, costs.workgroup_queries) * s.n * (costs.pair + costs.product * s.d);
  const double bytes = block_once * s.n * std::ceil(s.d / passes::screen_block_depth);
  const double deep = s.d > shallow_dimensions ? costs.deep + costs.deeper * (s.d - shallow_dimensions) : 0;
  return costs.start + deep + neighbors + costs.row * s.n + std::max({products, bytes, sorted});
}

}  // namespace

double expected_fused_milliseconds(const SearchDescription& description, BackendKind backend, bool halves) {
  if (!halves) return expected_distances_milliseconds(description, backend);
  const Sizes s(description);
  if (s.k < counted_neighbors) return expected_halves_milliseconds(description, backend, s.q);
  return over_blocks(description, bytes_of_counted,
                     [&](double queries) { return expected_halves_milliseconds(description, backend, queries); });
}

namespace {

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
  const std::uint64_t whole = description.queries / block, left = description.queries % block;
  return static_cast<double>(whole) * expected_listed_milliseconds(description, backend, block, tile, numbered) +
         (left != 0 ? expected_listed_milliseconds(description, backend, left, tile, numbered) : 0);
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
