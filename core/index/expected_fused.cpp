#include "index/expected_times.hpp"

// What searches by thresholds take a GPU: of scores in half precision, of 8-bit codes, and canonical.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "index/choice_limits.hpp"
#include "index/expected_sizes.hpp"
#include "proxel/passes/screen_refine.h"
#include "proxel/screened.hpp"
#include "search/code_errors.hpp"
#include "search/decode.hpp"

namespace proxel::index {
namespace {

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
// Some ten thousand take less than that says, by up to a fifth, and others as much: fitted to 41 searches for 12,000 to 25,000 on an H200.
double spared_of_many(double k) {
  constexpr double first = 12000, all_from = 15000, all_to = 26000, last = 45000, most = 0.2;
  return most * std::clamp(std::min((k - first) / (all_from - first), (last - k) / (last - all_to)), 0.0, 1.0);
}
// Scratch memory for each neighbour, and for each row within the error of codes and of a wide step of them, bytes, which divides queries into blocks of whole tiles.
constexpr double bytes_of_counted = 27.2, bytes_of_coded = 18;

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

// Into what blocks of whole tiles scratch memory divides the queries.
// @param bytes  of it for each neighbour
std::uint64_t block_of(const SearchDescription& description, double bytes) {
  const Sizes s(description);
  const double queries = std::max(s.q, 1.0);
  const double fitting = static_cast<double>(description.scratch_limit) / (bytes * std::max(s.k, 1.0));
  const double most = std::max(std::floor(fitting / queries_of_tile), 1.0) * queries_of_tile;
  return static_cast<std::uint64_t>(std::min(queries, whole_tiles(queries / std::ceil(queries / most))));
}

// @param near   rows that are near for each neighbour
// @param bytes  of scratch memory for each
double expected_counted_milliseconds(const SearchDescription& description, const CountedCosts& costs, double near,
                                     double bytes) {
  const Sizes s(description);
  return over_blocks(description.queries, block_of(description, bytes), [&](std::uint64_t block) {
    const auto queries = static_cast<double>(block);
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

// What a block of queries takes on matrix units.
double expected_halves_milliseconds(const SearchDescription& description, BackendKind backend, double queries) {
  const Sizes s(description);
  const bool through_vulkan = backend == BackendKind::vulkan;
  const PassCosts& costs = through_vulkan ? vulkan_costs : cuda_costs;
  const CountedNeighborCosts& many = through_vulkan ? vulkan_counted_neighbors : cuda_counted_neighbors;
  const double of_counted = many.query + s.k * (1 - spared_of_many(s.k)) *
                                             (many.kept * std::pow(s.k / 1000, many.longer) + many.coordinate * s.d);
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

double expected_fused_milliseconds(const SearchDescription& description, BackendKind backend, bool halves) {
  if (!halves) return expected_distances_milliseconds(description, backend);
  const Sizes s(description);
  if (s.k < counted_neighbors) return expected_halves_milliseconds(description, backend, s.q);
  return over_blocks(description.queries, block_of(description, bytes_of_counted), [&](std::uint64_t queries) {
    return expected_halves_milliseconds(description, backend, static_cast<double>(queries));
  });
}

}  // namespace proxel::index
