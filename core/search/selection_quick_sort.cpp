// GPU-Qsort (Lopresti 2013, section 4.2) as a method of selection: Local-Qsort,
// then rounds of Merge-Reduction between two buffers, the last to the result.

#include <algorithm>

#include "proxel/passes/merge_sorted.h"
#include "proxel/passes/quick_sort_local.h"
#include "search/check.hpp"
#include "search/rehearsal.hpp"
#include "search/selection_blocks.hpp"

namespace proxel::search {
namespace {

struct Sizes {
  std::uint32_t workgroup = 0;
  std::uint32_t part = 0;  // keys that a workgroup sorts
};

// Long parts save rounds of merging; short ones keep a device busy with few keys.
// On a processor that poses as a GPU they are always short: llvmpipe ends loops
// silently (quick_multi_select.cpp), and bad pivots make them long.
Sizes choose_sizes(const Capabilities& capabilities, const SelectionDescription& description) {
  constexpr std::uint32_t widest = 256;
  constexpr std::uint32_t longest = 4096;
  constexpr std::uint32_t shortest = 1024;
  constexpr std::uint64_t parts_per_multiprocessor = 4;
  const std::uint64_t busy = parts_per_multiprocessor * known_multiprocessors(capabilities);
  Sizes sizes{std::min(widest, std::bit_floor(capabilities.max_workgroup_size)), longest};
  const auto suits = [&] {
    return passes::quick_sort_shared_bytes(sizes.part, sizes.workgroup) <= capabilities.shared_memory_bytes &&
           description.rows * divide_up<std::uint64_t>(description.columns, sizes.part) >= busy &&
           !capabilities.runs_on_host;
  };
  while (sizes.part > shortest && !suits()) sizes.part /= 2;
  return sizes;
}

class QuickSort : public SelectionAlgorithm {
 public:
  QuickSort(const SelectionDescription& description, const Sizes& sizes)
      : SelectionAlgorithm(description, SelectionMethod::quick_sort), sizes_(sizes) {
    for (std::uint64_t run = sizes.part; run < description.columns; run *= 2) ++rounds_;
    const std::uint64_t buffers = std::min(rounds_, 2u);
    const std::uint64_t row_bytes = description.columns * key_bytes;
    block_rows_ = std::min<std::uint64_t>(description.rows, largest_grid_extent);
    if (buffers != 0)
      block_rows_ = std::clamp<std::uint64_t>((description.scratch_limit - buffers * 255) / (buffers * row_bytes), 1,
                                              block_rows_);
    keys_bytes_ = align_scratch(block_rows_ * row_bytes);
    scratch_bytes_ = buffers * keys_bytes_;
  }

  std::uint64_t scratch_bytes() const override { return scratch_bytes_; }

  void record(Recording& recording, const SelectionBuffers& buffers) const override {
    for_row_blocks(description_, buffers, block_rows_,
                   [&](const passes::SelectionRows& rows, const passes::SelectionResult& result) {
      record_block(recording, rounds_ == 0 ? 0 : buffers.scratch.address(), rows, result);
    }, [&] {
      if (rounds_ != 0) recording.barrier();
    });
  }

 private:
  void record_block(Recording& recording, std::uint64_t scratch, const passes::SelectionRows& rows,
                    const passes::SelectionResult& result) const {
    const std::uint64_t keys[2] = {scratch, scratch + keys_bytes_};
    recording.record(passes::make_quick_sort_local({rows, result, rounds_ == 0 ? 0 : keys[0]},
                                                   description_.largest_first, sizes_.workgroup, sizes_.part));
    std::uint32_t run = sizes_.part;
    for (std::uint32_t round = 0; round < rounds_; ++round, run *= 2) {
      recording.barrier();
      const bool last = round + 1 == rounds_;
      recording.record(
          passes::make_merge_sorted({rows, result, keys[round % 2], last ? 0 : keys[(round + 1) % 2], run, 0},
                                    description_.largest_first, sizes_.workgroup));
    }
  }

  Sizes sizes_;
  std::uint32_t rounds_ = 0;
  std::uint64_t block_rows_ = 1;
  std::uint64_t keys_bytes_ = 0;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace

Support quick_sort_supports(const Device& device, const SelectionDescription& description) {
  const Sizes sizes = choose_sizes(device.capabilities(), description);
  passes::QuickSortLocalParameters local{};
  local.rows.rows = local.rows.columns = 1;
  if (Support support =
          device.supports(passes::make_quick_sort_local(local, description.largest_first, sizes.workgroup, sizes.part));
      !support)
    return support;
  passes::MergeSortedParameters merge{};
  merge.rows.rows = merge.rows.columns = merge.run = 1;
  return device.supports(passes::make_merge_sorted(merge, description.largest_first, sizes.workgroup));
}

std::unique_ptr<const SelectionAlgorithm> make_quick_sort(Device& device, const SelectionDescription& description) {
  auto made = std::make_unique<QuickSort>(description, choose_sizes(device.capabilities(), description));
  rehearse(device, *made);
  return made;
}

}  // namespace proxel::search
