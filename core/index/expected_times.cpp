#include "index/expected_times.hpp"

#include <algorithm>
#include <cmath>

#include "index/choice_limits.hpp"
#include "proxel/screened.hpp"
#include "search/decode.hpp"
#include "search/occupancy.hpp"

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
// compared with a query, a product of their coordinates, and a neighbour that is kept for a query. Fewer queries than
// a workgroup has take as long as those.
struct PassCosts {
  double start, neighbors, row, pair, product, kept, workgroup_queries;
};
constexpr PassCosts cuda_costs = {0.026, 0.005, 3e-9, 5.7e-10, 6.5e-12, 2e-7, 48};
constexpr PassCosts vulkan_costs = {0.032, 0.007, 3e-9, 9.2e-10, 6e-12, 3e-7, 76};

// A scan whose rows do not stay in a cache, milliseconds for a row and for one of its coordinates: where every query
// reads them anew, and where queries of a tile share them.
struct ReadCosts {
  double row_anew, coordinate_anew, row, coordinate;
};
constexpr ReadCosts cuda_reads = {5e-9, 1.36e-9, 7e-8, 7.2e-9};
constexpr ReadCosts vulkan_reads = {8e-9, 1.2e-9, 8e-8, 8.9e-9};

// From this many neighbours on they are counted, not sorted (ScreenedPlan), and more of them cost hardly more.
constexpr double counted_neighbors = 257;
// From this many on a walk through boxes leaves a multiprocessor room for fewer queries.
constexpr double neighbors_of_long_lists = 129;

// From so many dimensions on codes left every query of 1,000,000 normal rows undecided.
constexpr double undecided_dimensions = 450;
// The error of `l1` is the sum of all coordinates' errors.
constexpr double further_error_of_l1 = 5;

}  // namespace

bool codes_spare_time(const SearchDescription& description) {
  const Sizes s(description);
  const double spared = 7e-10 * s.q * s.n * s.d - 0.06;
  const double error = std::sqrt(s.d) + (search::answered_metric(description) == Metric::l1 ? further_error_of_l1 : 0);
  const double evaluated = 0.01 * std::pow(s.k / 10, 0.85) * std::exp(0.42 * (error - 11.3));
  return s.d < undecided_dimensions && evaluated < spared;
}

bool codes_before_halves(const SearchDescription& description) {
  if (description.queries == 1) return true;
  return description.dimensions <= most_coded_dimensions_of_some && description.k <= few_coded_neighbors;
}

bool codes_spare_time_on_cpu(const SearchDescription& description) {
  const Sizes s(description);
  // Too few rows for any difference to matter; and so many neighbours in so many dimensions that most rows are as near.
  if (s.n < 8192 || (description.k > few_coded_neighbors && s.d > 256)) return false;
  // Two fits, the latter of more neighbours than codes serve elsewhere.
  const bool many = description.k > ScreenedPlan::most_coded_k;
  const double scan = 2e-7 * s.n * s.d * (0.6 + 0.4 * s.q) + (many ? 0.0025 : 0.0035) * s.q * s.k;
  // The errors of all dimensions add up.
  const double of_l1 = search::answered_metric(description) == Metric::l1 ? std::max(1.0, s.d / 32) : 1;
  const double of_rows =
      many ? 5e-6 * std::pow(s.d, 1.8) * std::pow(s.k, 0.75) : 3.5e-5 * std::pow(s.d, 1.35) * std::pow(s.k, 0.6);
  const double evaluated = of_l1 * s.q * of_rows;
  return 6e-8 * s.n * s.d * std::pow(s.q, 0.7) + evaluated < scan;
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
  const double at_a_time = 4600 / (1 + s.k / 580);
  const double fuller = s.k >= neighbors_of_long_lists ? 1 + 0.5 * std::min(1.0, s.q / 1000) : 1;
  return walk * std::max(1.0, s.q / at_a_time) * fuller * (backend == BackendKind::vulkan ? 1.6 : 1);
}

HostTimes expected_times_on_host(const SearchDescription& description) {
  const Sizes s(description);
  const double scan = 0.7 * std::pow(s.k, 0.8) + 0.0008 * s.n * std::pow(s.k, 0.32);
  const double boxes = (0.5 + 0.35 * s.d) * std::pow(std::max(s.n, 1024.0) / 1024, 0.06 * s.d) *
                       (1 + 0.12 * std::pow(s.k, 0.85 - 0.03 * s.d));
  return {scan * s.q / 1000, boxes * s.q / 1000, 0.3 + 0.00025 * s.n * s.d};
}

double expected_fused_milliseconds(const SearchDescription& description, BackendKind backend, bool halves) {
  const Sizes s(description);
  const bool through_vulkan = backend == BackendKind::vulkan;
  const bool counted = s.k >= counted_neighbors;
  if (!halves) {
    const double neighbors = through_vulkan ? (counted ? 0.008 : 0.044) : (counted ? 0.0062 : 0.0124);
    return 0.037 + neighbors * std::sqrt(s.k) + 8e-7 * s.n + s.q * (2e-5 + 1.3e-10 * s.n * s.d);
  }
  const PassCosts& costs = through_vulkan ? vulkan_costs : cuda_costs;
  const double neighbors = counted ? 0.002 : costs.neighbors;
  return costs.start + neighbors * std::sqrt(s.k) + costs.row * s.n + s.q * costs.kept * s.k +
         std::max(s.q, costs.workgroup_queries) * s.n * (costs.pair + costs.product * s.d);
}

// Every pair, with longer lists to keep; and where rows are few, workgroups that are too few.
double expected_scan_milliseconds(const SearchDescription& description, BackendKind backend) {
  const Sizes s(description);
  const bool through_vulkan = backend == BackendKind::vulkan;
  const ReadCosts& reads = through_vulkan ? vulkan_reads : cuda_reads;
  const double neighbors = through_vulkan ? 4.4e-4 : 4.5e-4;
  const bool cached = s.q * s.n <= static_cast<double>(search::few_scan_pairs);
  const bool anew = description.queries < search::few_queries;
  const double least = cached ? 0
                       : anew ? s.q * s.n * (reads.row_anew + reads.coordinate_anew * s.d)
                              : s.n * (reads.row + reads.coordinate * s.d);
  return 0.0022 * std::log2(std::max(s.n, 2.0)) + neighbors * s.k +
         std::max(least,
                  2.5e-9 * s.n * s.d + s.q * (2.5e-5 + s.n * (2.7e-9 + 2.5e-10 * std::sqrt(s.k) + 1.1e-10 * s.d)));
}

}  // namespace proxel::index
