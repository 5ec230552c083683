#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "proxel/passes/group_minima.h"
#include "proxel/passes/group_select.h"
#include "proxel/passes/selection.hpp"
#include "search/check.hpp"
#include "search/rehearsal.hpp"
#include "search/selection_blocks.hpp"

namespace proxel::search {
namespace {

constexpr std::uint32_t piece_values = 8;  // group_minima.h
constexpr std::uint32_t minima_workgroup = 256;

// How the columns of a row are shared out.
struct Groups {
  std::uint32_t workgroup = 0;  // of group_minima
  std::uint32_t merge = 1;
  std::uint32_t count = 0;
  std::uint32_t steps = 0;
};

// Reading minima and reading groups again cost the same where there are
// sqrt(k n / 4) groups; with fewer than 4 k the bound would be loose.
Groups choose_groups(const Capabilities& capabilities, const SelectionDescription& description) {
  constexpr std::uint32_t most_merged = 8;
  constexpr std::uint64_t workgroups_per_multiprocessor = 4;
  const std::uint64_t k = selectable(description);
  const std::uint64_t pieces = divide_up<std::uint64_t>(description.columns, piece_values);
  const auto balanced =
      static_cast<std::uint64_t>(std::sqrt(static_cast<double>(k) * static_cast<double>(description.columns) / 4));
  const std::uint64_t target = std::max(4 * k, balanced);

  Groups groups;
  groups.workgroup = std::min(minima_workgroup, std::bit_floor(capabilities.max_workgroup_size));
  const std::uint64_t busy =
      divide_up(workgroups_per_multiprocessor * known_multiprocessors(capabilities), description.rows);
  const std::uint64_t wanted = std::max(divide_up<std::uint64_t>(target, groups.workgroup), busy);
  const std::uint64_t workgroups = std::min<std::uint64_t>({wanted, pieces / groups.workgroup, largest_grid_extent});
  const std::uint64_t threads = workgroups * groups.workgroup;
  while (groups.merge < most_merged && threads / (2 * groups.merge) >= target) groups.merge *= 2;
  groups.count = static_cast<std::uint32_t>(threads / groups.merge);
  if (threads == 0) return groups;
  // One more value may stand before the row's first vector, or three.
  const std::uint64_t spread = divide_up<std::uint64_t>(description.columns + 3, piece_values);
  groups.steps = static_cast<std::uint32_t>(divide_up(spread, threads));
  return groups;
}

// With few rows each multiprocessor has one or two workgroups, wider for long
// lists where that is faster, which is not so through Vulkan (and see group_select.h).
Pool finishing_pool(const Device& device, const SelectionDescription& description) {
  const Capabilities& capabilities = device.capabilities();
  const bool few = description.rows <= 2 * known_multiprocessors(capabilities);
  const std::uint64_t k = selectable(description);
  const bool wide = k > 512 && device.info().backend == BackendKind::cuda;
  return choose_pool(capabilities, k, !few ? 256 : wide ? 1024 : 512, passes::group_select_shared_bytes);
}

class Threshold : public SelectionAlgorithm {
 public:
  Threshold(const SelectionDescription& description, const Groups& groups, const Pool& pool)
      : SelectionAlgorithm(description, SelectionMethod::threshold), groups_(groups), pool_(pool) {
    const std::uint64_t row_bytes = groups.count * key_bytes;
    block_rows_ = rows_at_once(description, row_bytes);
    scratch_bytes_ = align_scratch(block_rows_ * row_bytes);
  }

  std::uint64_t scratch_bytes() const override { return scratch_bytes_; }

  void record(Recording& recording, const SelectionBuffers& buffers) const override {
    for_row_blocks(description_, buffers, block_rows_,
                   [&](const passes::SelectionRows& rows, const passes::SelectionResult& result) {
      const std::uint64_t minima = buffers.scratch.address();
      recording.record(passes::make_group_minima({rows, minima, groups_.count, groups_.steps},
                                                 description_.largest_first, groups_.workgroup, groups_.merge));
      recording.barrier();
      recording.record(passes::make_group_select({rows, result, minima, groups_.count, groups_.steps, groups_.merge, 0},
                                                 description_.largest_first, pool_.workgroup, pool_.capacity));
    }, [&] { recording.barrier(); });
  }

 private:
  Groups groups_;
  Pool pool_;
  std::uint64_t block_rows_ = 1;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace

Support threshold_supports(const Device& device, const SelectionDescription& description) {
  const Capabilities& capabilities = device.capabilities();
  const Groups groups = choose_groups(capabilities, description);
  if (groups.count < selectable(description) || groups.count == 0)
    return Support::no(Limit::neighbors,
                       fmt::format("{} columns make too few groups for k = {}", description.columns, description.k));
  const Pool pool = finishing_pool(device, description);
  if (Support support = pool_support(pool, selectable(description)); !support) return support;
  return device.supports(passes::make_group_select({}, description.largest_first, pool.workgroup, pool.capacity));
}

std::unique_ptr<const SelectionAlgorithm> make_threshold(Device& device, const SelectionDescription& description) {
  const Capabilities& capabilities = device.capabilities();
  auto made = std::make_unique<Threshold>(description, choose_groups(capabilities, description),
                                          finishing_pool(device, description));
  rehearse(device, *made);
  return made;
}

}  // namespace proxel::search
