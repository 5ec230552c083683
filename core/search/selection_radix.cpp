#include <algorithm>

#include "proxel/passes/bucket_select.h"
#include "proxel/passes/radix_count.h"
#include "proxel/passes/radix_scan.h"
#include "proxel/passes/radix_scatter.h"
#include "proxel/passes/radix_select.h"
#include "proxel/passes/selection.hpp"
#include "search/check.hpp"
#include "search/rehearsal.hpp"
#include "search/selection_blocks.hpp"

namespace proxel::search {
namespace {

using passes::RadixSource;

constexpr std::uint32_t digits = 256;
constexpr std::uint32_t rounds = 4;
constexpr std::uint32_t histogram_bytes = rounds * digits * 4;
constexpr std::uint32_t buckets_bytes = passes::bucket_rounds * passes::bucket_count * 4;
constexpr std::uint32_t range_bytes = 8;

// Wide enough for eight subgroups, whose counters fit 16 KiB of shared memory.
std::uint32_t choose_workgroup(const Capabilities& capabilities) {
  constexpr std::uint32_t most_subgroups = 8;
  return std::clamp(most_subgroups * capabilities.subgroup_size, 32u, 256u);
}

// Rows are sorted, by four stable passes of eight bits, either whole or after
// their k smallest keys have been collected in column order. radixSelect and bucketSelect of Alabi et al. 2012 find
// the k-th and collect always.
class RadixSort : public SelectionAlgorithm {
 public:
  RadixSort(const SelectionDescription& description, const Capabilities& capabilities)
      : SelectionAlgorithm(description, description.method),
        k_(selectable(description)),
        workgroup_(choose_workgroup(capabilities)),
        subgroups_(std::max(workgroup_ / capabilities.subgroup_size, 1u)) {
    plan_rows(method() == SelectionMethod::radix_sort && description.sorted && 2 * k_ > description.columns);
    // Where whole rows do not fit, what is wanted of them might.
    if (whole_ && k_ < description.columns && scratch_bytes_ > description.scratch_limit) plan_rows(false);
  }

  std::uint64_t scratch_bytes() const override { return scratch_bytes_; }

  void record(Recording& recording, const SelectionBuffers& buffers) const override {
    for_row_blocks(description_, buffers, block_rows_,
                   [&](const passes::SelectionRows& rows, const passes::SelectionResult& result) {
      record_block(recording, buffers.scratch, rows, result);
    }, [&] { recording.barrier(); });
  }

 private:
  bool by_buckets() const { return method() == SelectionMethod::bucket_select; }

  // Scratch: two arrays of keys, the counts of tiles, totals, histograms, buckets and their ranges.
  void plan_rows(bool whole) {
    whole_ = whole;
    sorted_count_ = whole_ ? description_.columns : k_;
    const std::uint64_t tile = passes::radix_tile(workgroup_);
    const std::uint64_t sorting_tiles = divide_up<std::uint64_t>(sorted_count_, tile);
    const std::uint64_t collecting_tiles = divide_up<std::uint64_t>(description_.columns, tile);
    const std::uint64_t counters = std::max(sorting_tiles * digits, whole_ ? 0 : collecting_tiles * 2);
    const std::uint64_t keys_row = sorted_count_ * key_bytes;
    const std::uint64_t own_buckets = by_buckets() ? buckets_bytes : 0, own_range = by_buckets() ? range_bytes : 0;
    const std::uint64_t row_bytes =
        2 * keys_row + counters * 4 + digits * 4 + histogram_bytes + own_buckets + own_range + 7 * 256;
    block_rows_ = std::clamp<std::uint64_t>(description_.scratch_limit / row_bytes, 1,
                                            std::min<std::uint64_t>(description_.rows, largest_grid_extent));
    keys_bytes_ = align_scratch(block_rows_ * keys_row);
    counts_offset_ = 2 * keys_bytes_;
    totals_offset_ = counts_offset_ + align_scratch(block_rows_ * counters * 4);
    histograms_offset_ = totals_offset_ + align_scratch(block_rows_ * digits * 4);
    buckets_offset_ = histograms_offset_ + align_scratch(block_rows_ * histogram_bytes);
    ranges_offset_ = buckets_offset_ + align_scratch(block_rows_ * own_buckets);
    scratch_bytes_ = ranges_offset_ + align_scratch(block_rows_ * own_range);
  }

  void record_block(Recording& recording, const BufferView& scratch, const passes::SelectionRows& rows,
                    const passes::SelectionResult& result) const {
    const std::uint64_t keys[2] = {scratch.address(), scratch.address() + keys_bytes_};
    RadixSource source{};
    source.k = static_cast<std::uint32_t>(k_);
    source.count = rows.columns;
    unsigned target = 0;
    if (!whole_) {
      recording.push_label("collect");
      record_threshold(recording, scratch, rows);
      source.histograms = scratch.address() + histograms_offset_;
      record_pass(recording, scratch, rows, result, source, description_.sorted ? keys[target] : 0);
      recording.pop_label();
      if (!description_.sorted) return;
      recording.barrier();
      source = {keys[target], 0, source.k, source.k, 0, source.k};
      target = 1 - target;
    }
    recording.push_label("sort");
    for (std::uint32_t round = 0; round < rounds; ++round) {
      if (round != 0) recording.barrier();
      source.shift = 8 * round;
      record_pass(recording, scratch, rows, result, source, round + 1 < rounds ? keys[target] : 0);
      source.keys = keys[target];
      source.stride = static_cast<std::uint32_t>(sorted_count_);
      target = 1 - target;
    }
    recording.pop_label();
  }

  void record_threshold(Recording& recording, const BufferView& scratch, const passes::SelectionRows& rows) const {
    recording.fill(scratch.part(histograms_offset_, std::uint64_t{rows.rows} * histogram_bytes), 0);
    if (by_buckets()) return record_buckets(recording, scratch, rows);
    for (std::uint32_t round = 0; round < rounds; ++round) {
      recording.barrier();
      recording.record(passes::make_radix_select(
          {rows, scratch.address() + histograms_offset_, static_cast<std::uint32_t>(k_), round},
          description_.largest_first, workgroup_));
    }
    recording.barrier();
  }

  void record_buckets(Recording& recording, const BufferView& scratch, const passes::SelectionRows& rows) const {
    recording.fill(scratch.part(buckets_offset_, std::uint64_t{rows.rows} * buckets_bytes), 0);
    recording.fill(scratch.part(ranges_offset_, std::uint64_t{rows.rows} * range_bytes), 0xFF);
    for (std::uint32_t round = 0; round <= passes::bucket_rounds + 1; ++round) {
      recording.barrier();
      recording.record(
          passes::make_bucket_select({rows, scratch.address() + ranges_offset_, scratch.address() + buckets_offset_,
                                      scratch.address() + histograms_offset_, static_cast<std::uint32_t>(k_), round},
                                     description_.largest_first, workgroup_));
    }
    recording.barrier();
  }

  // One stable pass: to `target`, or to the result where that is 0.
  void record_pass(Recording& recording, const BufferView& scratch, const passes::SelectionRows& rows,
                   const passes::SelectionResult& result, const RadixSource& source, std::uint64_t target) const {
    const std::uint32_t digit_count = source.histograms ? 2 : digits;
    const std::uint64_t counts = scratch.address() + counts_offset_;
    const std::uint64_t totals = scratch.address() + totals_offset_;
    const auto tiles =
        static_cast<std::uint32_t>(divide_up<std::uint64_t>(source.count, passes::radix_tile(workgroup_)));
    recording.record(
        passes::make_radix_count({rows, source, counts, digit_count, 0}, description_.largest_first, workgroup_));
    recording.barrier();
    recording.record(passes::make_radix_scan({counts, totals, digit_count, tiles}, rows.rows, workgroup_));
    recording.barrier();
    recording.record(passes::make_radix_scatter(
        {rows, result, source, counts, totals, target, static_cast<std::uint32_t>(sorted_count_), digit_count},
        description_.largest_first, workgroup_, subgroups_));
  }

  std::uint64_t k_;
  std::uint32_t workgroup_;
  std::uint32_t subgroups_;
  bool whole_ = false;              // rows are sorted whole
  std::uint64_t sorted_count_ = 0;  // keys per row that are sorted
  std::uint64_t block_rows_ = 1;
  std::uint64_t keys_bytes_ = 0;
  std::uint64_t counts_offset_ = 0;
  std::uint64_t totals_offset_ = 0;
  std::uint64_t histograms_offset_ = 0;
  std::uint64_t buckets_offset_ = 0;
  std::uint64_t ranges_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace

Support radix_sort_supports(const Device& device, const SelectionDescription&) {
  const Capabilities& capabilities = device.capabilities();
  const std::uint32_t workgroup = choose_workgroup(capabilities);
  passes::RadixScatterParameters parameters{};
  parameters.rows.rows = 1;
  parameters.source.count = 1;
  return device.supports(
      passes::make_radix_scatter(parameters, false, workgroup, std::max(workgroup / capabilities.subgroup_size, 1u)));
}

std::unique_ptr<const SelectionAlgorithm> make_radix_sort(Device& device, const SelectionDescription& description) {
  auto made = std::make_unique<RadixSort>(description, device.capabilities());
  rehearse(device, *made);
  return made;
}

}  // namespace proxel::search
