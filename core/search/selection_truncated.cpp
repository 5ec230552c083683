// The truncated bitonic sort of Sismanis et al. 2012: levels of tiles, each of which leaves one list of the smallest.

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "proxel/passes/truncated_sort.h"
#include "search/check.hpp"
#include "search/rehearsal.hpp"
#include "search/selection_blocks.hpp"

namespace proxel::search {
namespace {

// "Sismanis's implementation cannot handle k > 512" (Komarov 2013); a tile then still has four lists.
constexpr std::uint64_t most_truncated = 512;

std::uint32_t choose_workgroup_of_network(const Device& device) {
  constexpr std::uint32_t widest = 256;
  return std::min(widest, std::bit_floor(device.capabilities().max_workgroup_size));
}

std::uint64_t tiles_of(std::uint64_t keys) { return divide_up<std::uint64_t>(keys, passes::truncated_tile); }

class TruncatedSort : public SelectionAlgorithm {
 public:
  TruncatedSort(const SelectionDescription& description, std::uint32_t workgroup)
      : SelectionAlgorithm(description, SelectionMethod::truncated_bitonic_sort),
        workgroup_(workgroup),
        list_(std::bit_ceil(static_cast<std::uint32_t>(selectable(description)))) {
    // The lists of the first level and those of the second; later ones are fewer.
    const std::uint64_t tiles = tiles_of(description.columns);
    const std::uint64_t more_tiles = tiles_of(tiles * list_);
    const std::uint64_t first = tiles == 1 ? 0 : tiles * list_ * key_bytes;
    const std::uint64_t second = tiles == 1 || more_tiles == 1 ? 0 : more_tiles * list_ * key_bytes;
    block_rows_ = std::min<std::uint64_t>(description.rows, largest_grid_extent);
    if (first != 0)
      block_rows_ = std::clamp<std::uint64_t>((description.scratch_limit - 512) / (first + second), 1, block_rows_);
    lists_offset_ = align_scratch(block_rows_ * first);
    scratch_bytes_ = lists_offset_ + align_scratch(block_rows_ * second);
  }

  std::uint64_t scratch_bytes() const override { return scratch_bytes_; }

  void record(Recording& recording, const SelectionBuffers& buffers) const override {
    for_row_blocks(description_, buffers, block_rows_,
                   [&](const passes::SelectionRows& rows, const passes::SelectionResult& result) {
      record_levels(recording, scratch_bytes_ == 0 ? 0 : buffers.scratch.address(), rows, result);
    }, [&] {
      if (scratch_bytes_ != 0) recording.barrier();
    });
  }

 private:
  void record_levels(Recording& recording, std::uint64_t scratch, const passes::SelectionRows& rows,
                     const passes::SelectionResult& result) const {
    const std::uint64_t lists[2] = {scratch, scratch + lists_offset_};
    passes::TruncatedSortParameters level{rows, result, 0, 0, rows.columns, list_};
    for (unsigned i = 0;; ++i) {
      const std::uint64_t tiles = tiles_of(level.count);
      level.target = tiles == 1 ? 0 : lists[i % 2];
      recording.record(passes::make_truncated_sort(level, description_.largest_first, workgroup_));
      if (tiles == 1) return;
      recording.barrier();
      level.source = level.target;
      level.count = static_cast<std::uint32_t>(tiles * list_);
    }
  }

  std::uint32_t workgroup_;
  std::uint32_t list_;
  std::uint64_t block_rows_ = 1;
  std::uint64_t lists_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace

Support truncated_sort_supports(const Device& device, const SelectionDescription& description) {
  if (selectable(description) > most_truncated)
    return Support::no(Limit::neighbors, fmt::format("the truncated bitonic sort selects up to {} values, k is {}",
                                                     most_truncated, description.k));
  passes::TruncatedSortParameters parameters{};
  parameters.rows.rows = parameters.count = parameters.list = 1;
  return device.supports(
      passes::make_truncated_sort(parameters, description.largest_first, choose_workgroup_of_network(device)));
}

std::unique_ptr<const SelectionAlgorithm> make_truncated_sort(Device& device, const SelectionDescription& description) {
  auto made = std::make_unique<TruncatedSort>(description, choose_workgroup_of_network(device));
  rehearse(device, *made);
  return made;
}

}  // namespace proxel::search
