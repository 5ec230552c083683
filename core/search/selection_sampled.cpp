#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "proxel/passes/sample_select.h"
#include "search/check.hpp"
#include "search/rehearsal.hpp"
#include "search/selection_blocks.hpp"

namespace proxel::search {
namespace {

// Values of the sample among the k smallest: so many that those up to its bound are between k and twice as many.
constexpr std::uint64_t sampled_neighbors = 256;
// Room for a few more than that.
constexpr std::uint64_t spare_room = 16;
// Standard deviations of their number that the bound is above it.
constexpr double deviations = 5;
// Values of a row for each that is selected, at least: sorting nearly all of a row is for radix_sort.
constexpr std::uint64_t columns_per_neighbor = 4;
// Keys that are sorted at once, and the shared memory that the longer run asks for.
constexpr std::uint32_t long_run = 2048;
constexpr std::uint32_t short_run = 512;
constexpr std::uint32_t widest_sampling = 512;
constexpr std::uint32_t narrowest_sampling = 64;

struct SampleWorkgroup {
  std::uint32_t size = 0, run = 0;
};

SampleWorkgroup choose_sample_workgroup(const Capabilities& capabilities) {
  const bool roomy = passes::sample_select_shared_bytes(long_run) <= capabilities.shared_memory_bytes;
  return {std::min(widest_sampling, std::bit_floor(capabilities.max_workgroup_size)), roomy ? long_run : short_run};
}

class Sampled : public SelectionAlgorithm {
 public:
  Sampled(const SelectionDescription& description, const SampleWorkgroup& workgroup)
      : SelectionAlgorithm(description, SelectionMethod::sample_select), workgroup_(workgroup) {
    const std::uint64_t k = description.k;
    step_ = static_cast<std::uint32_t>(std::max<std::uint64_t>(k / sampled_neighbors, 1));
    const double expected = static_cast<double>(k) / step_;
    rank_ = static_cast<std::uint32_t>(expected + deviations * std::sqrt(expected)) + 1;
    room_ = static_cast<std::uint32_t>(2 * k + spare_room);
    const std::uint64_t row_bytes = 2 * key_bytes * room_;
    block_rows_ = rows_at_once(description, row_bytes);
    scratch_bytes_ = align_scratch(block_rows_ * row_bytes);
  }

  std::uint64_t scratch_bytes() const override { return scratch_bytes_; }

  void record(Recording& recording, const SelectionBuffers& buffers) const override {
    for_row_blocks(description_, buffers, block_rows_,
                   [&](const passes::SelectionRows& rows, const passes::SelectionResult& result) {
      recording.record(passes::make_sample_select({rows, result, buffers.scratch.address(), room_, step_, rank_, 0},
                                                  description_.largest_first, workgroup_.run, workgroup_.size));
    }, [&] { recording.barrier(); });
  }

 private:
  SampleWorkgroup workgroup_;
  std::uint32_t step_ = 1, rank_ = 1, room_ = 0;
  std::uint64_t block_rows_ = 1;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace

Support sample_select_supports(const Device& device, const SelectionDescription& description) {
  if (description.k > description.columns / columns_per_neighbor)
    return Support::no(Limit::neighbors, fmt::format("sampling needs {} times as many columns as are selected; there "
                                                     "are {} columns and k is {}",
                                                     columns_per_neighbor, description.columns, description.k));
  const SampleWorkgroup workgroup = choose_sample_workgroup(device.capabilities());
  if (workgroup.size < narrowest_sampling) return Support::no("sampling needs workgroups of 64 invocations");
  passes::SampleSelectParameters parameters{};
  parameters.rows.rows = parameters.rows.columns = parameters.sample_step = 1;
  return device.supports(
      passes::make_sample_select(parameters, description.largest_first, workgroup.run, workgroup.size));
}

std::unique_ptr<const SelectionAlgorithm> make_sample_select(Device& device, const SelectionDescription& description) {
  auto made = std::make_unique<Sampled>(description, choose_sample_workgroup(device.capabilities()));
  rehearse(device, *made);
  return made;
}

}  // namespace proxel::search
