#include <fmt/format.h>

#include <algorithm>

#include "proxel/passes/selection.hpp"
#include "proxel/passes/stream_select.h"
#include "search/rehearsal.hpp"
#include "search/selection_blocks.hpp"

namespace proxel::search {

Support pool_support(const Pool& pool, std::uint64_t k) {
  if (pool.capacity != 0) return Support::yes();
  return Support::no(Limit::neighbors, fmt::format("the k = {} smallest of a row do not fit the shared memory", k));
}

namespace {

// Sixteen values per thread are read at once: no wider than the row. Narrow
// workgroups wait for each other least (docs/lab/selection.md); long lists want more hands.
Pool streaming_pool(const Device& device, const SelectionDescription& description) {
  constexpr std::uint32_t values_at_once = 16;
  constexpr std::uint64_t narrowest = 32;
  constexpr std::uint64_t short_list = 128;
  constexpr std::uint64_t middling_list = 1024;
  const std::uint64_t k = selectable(description);
  const std::uint64_t widest = k <= short_list ? 64 : k <= middling_list ? 128 : 256;
  const std::uint64_t useful = std::clamp(std::bit_floor(description.columns / values_at_once | 1), narrowest, widest);
  return choose_pool(device.capabilities(), k, static_cast<std::uint32_t>(useful), passes::pool_shared_bytes);
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
