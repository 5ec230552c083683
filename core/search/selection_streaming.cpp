#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "proxel/passes/selection.hpp"
#include "proxel/passes/stream_select.h"
#include "search/check.hpp"
#include "search/rehearsal.hpp"
#include "search/selection_blocks.hpp"

namespace proxel::search {

Support pool_support(const Pool& pool, std::uint64_t k) {
  if (pool.capacity != 0) return Support::yes();
  return Support::no(Limit::neighbors, fmt::format("the k = {} smallest of a row do not fit the shared memory", k));
}

namespace {

// Values that an invocation reads at once.
constexpr std::uint32_t values_at_once = 16;

// How many values of a row pass the first bound, which comes from a sample of as many as a workgroup reads at once: see
// PoolSelect::rank_of_sample.
double passing(std::uint64_t k, std::uint32_t workgroup, std::uint64_t columns) {
  const double share = static_cast<double>(values_at_once * workgroup) / static_cast<double>(columns);
  const double mean = static_cast<double>(k) * share;
  return (mean + 3 * std::sqrt(mean) + 3) / share;
}

// No wider than the row. Narrow workgroups wait for each other least, and where rows are many small pools let more of them run at a time
// (docs/lab/selection.md); long lists want more hands, and few rows do, too.
Pool streaming_pool(const Device& device, const SelectionDescription& description) {
  constexpr std::uint64_t narrowest = 32, shortest_list = 64, short_list = 128, middling_list = 1024;
  constexpr std::uint32_t small_capacity = 256, usual_capacity = 512;
  constexpr std::uint64_t rows_per_multiprocessor = 16;
  const std::uint64_t k = selectable(description), columns = description.columns;
  const bool many = description.rows >= rows_per_multiprocessor * known_multiprocessors(device.capabilities());
  std::uint64_t widest = k <= short_list ? 64 : k <= middling_list ? 128 : 256;
  std::uint32_t times = 4, smallest = usual_capacity;
  if (many && k <= shortest_list) {
    // A subgroup, where that is no wider than two of these.
    widest = std::clamp<std::uint64_t>(std::bit_ceil(device.capabilities().subgroup_size), narrowest, widest);
    times = 2;
    smallest = small_capacity;
  } else if (many && k > short_list && k <= middling_list && columns >= 2 * 64 * values_at_once &&
             passing(k, 64, columns) < 0.8 * 2 * static_cast<double>(std::bit_ceil(k))) {
    widest = 64;
    times = 2;
  }
  const std::uint64_t useful = std::clamp(std::bit_floor(columns / values_at_once | 1), narrowest, widest);
  return choose_pool(device.capabilities(), k, static_cast<std::uint32_t>(useful), passes::pool_shared_bytes, times,
                     smallest);
}

class Streaming : public SelectionAlgorithm {
 public:
  Streaming(const SelectionDescription& description, const Pool& pool)
      : SelectionAlgorithm(description, SelectionMethod::streaming), pool_(pool) {}

  void record(Recording& recording, const SelectionBuffers& buffers) const override {
    for_row_blocks(description_, buffers, passes::most_grid_rows,
                   [&](const passes::SelectionRows& rows, const passes::SelectionResult& result) {
      recording.record(
          passes::make_stream_select({rows, result}, description_.largest_first, pool_.workgroup, pool_.capacity));
    }, [] {});
  }

 private:
  Pool pool_;
};

}  // namespace

Support streaming_supports(const Device& device, const SelectionDescription& description) {
  const Pool pool = streaming_pool(device, description);
  if (Support support = pool_support(pool, selectable(description)); !support) return support;
  return device.supports(passes::make_stream_select({}, description.largest_first, pool.workgroup, pool.capacity));
}

std::unique_ptr<const SelectionAlgorithm> make_streaming(Device& device, const SelectionDescription& description) {
  auto made = std::make_unique<Streaming>(description, streaming_pool(device, description));
  rehearse(device, *made);
  return made;
}

}  // namespace proxel::search
