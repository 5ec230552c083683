#pragma once

// What the methods of selection share: rows in blocks, and pools.

#include <algorithm>
#include <bit>

#include "passes/grids.hpp"
#include "proxel/passes/types.h"
#include "search/rehearsal.hpp"
#include "search/selection_algorithm.hpp"

namespace proxel::search {

/// Calls record_block(rows, result) for the rows of a selection, block after block. A rehearsal has the first block and
/// the last: those between are like the first, and there may be thousands of millions.
/// @param between  called between two blocks: a barrier where they share scratch
template <typename RecordBlock, typename Between>
void for_row_blocks(const SelectionDescription& description, const SelectionBuffers& buffers, std::uint64_t block_rows,
                    const RecordBlock& record_block, const Between& between) {
  for (std::uint64_t first = 0; first < description.rows; first += block_rows) {
    if (first != 0) between();
    if (first != 0 && is_rehearsal(buffers.values)) first = (description.rows - 1) / block_rows * block_rows;
    const std::uint64_t first_value = first * description.row_stride * 4;
    passes::SelectionRows rows{};
    rows.values = buffers.values.address() + first_value;
    rows.rows = static_cast<std::uint32_t>(std::min(block_rows, description.rows - first));
    rows.columns = static_cast<std::uint32_t>(description.columns);
    rows.row_stride = static_cast<std::uint32_t>(description.row_stride);
    passes::SelectionResult result{};
    if (description.has_payload) result.payload = buffers.payload.address() + first_value;
    result.indices = buffers.indices.address() + first * description.k * 4;
    result.selected = buffers.selected.address() + first * description.k * 4;
    result.k = static_cast<std::uint32_t>(description.k);
    result.sorted = description.sorted;
    record_block(rows, result);
  }
}

/// Rows whose scratch memory fits the limit together, at least one.
/// @param row_bytes  of scratch memory for each
inline std::uint64_t rows_at_once(const SelectionDescription& description, std::uint64_t row_bytes) {
  return std::clamp<std::uint64_t>(description.scratch_limit / row_bytes, 1,
                                   std::min(description.rows, passes::most_grid_rows));
}

/// What there is to find in a row.
inline std::uint64_t selectable(const SelectionDescription& description) {
  return std::min(description.k, description.columns);
}

/// A workgroup and its pool of keys.
struct Pool {
  std::uint32_t workgroup = 0;
  std::uint32_t capacity = 0;  ///< 0 where the device has no room for one
};

/// The pool for k keys per row, four times k where there is room: narrowing is
/// then rare.
/// @param most_workgroup     a power of two
/// @param shared_bytes       what a capacity takes
/// @param times              the capacity in k, 2 or 4
/// @param smallest_capacity  a power of two
inline Pool choose_pool(const Capabilities& capabilities, std::uint64_t k, std::uint32_t most_workgroup,
                        std::uint32_t (*shared_bytes)(std::uint32_t), std::uint32_t times = 4,
                        std::uint32_t smallest_capacity = 512) {
  constexpr std::uint32_t largest_capacity = 4096;
  if (k > largest_capacity / 2) return {};
  const auto rounded = std::bit_ceil(static_cast<std::uint32_t>(k));
  Pool pool;
  pool.workgroup = std::min(most_workgroup, std::bit_floor(capabilities.max_workgroup_size));
  pool.capacity = std::clamp(times * rounded, std::max(smallest_capacity, 4 * pool.workgroup), largest_capacity);
  while (pool.capacity > 2 * rounded && shared_bytes(pool.capacity) > capabilities.shared_memory_bytes)
    pool.capacity /= 2;
  pool.workgroup = std::min(pool.workgroup, pool.capacity / 4);
  if (shared_bytes(pool.capacity) > capabilities.shared_memory_bytes || pool.workgroup < 32) pool.capacity = 0;
  return pool;
}

/// The reason for a pool without capacity.
Support pool_support(const Pool& pool, std::uint64_t k);

}  // namespace proxel::search
