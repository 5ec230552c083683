#pragma once

// A selection's matrix and result in plain C++ (SelectionRows, SelectionResult of types.h).

#include <vector>

#include "passes/decoded_distance.hpp"
#include "passes/memory.hpp"
#include "passes/order.hpp"

namespace proxel::passes {

/// The values of one row.
inline const float* row_values(const SelectionRows& rows, std::uint64_t row) {
  return at<const float>(rows.values) + row * rows.row_stride;
}

/// Appends the keys of a row's values.
inline void append_keys(const SelectionRows& rows, std::uint64_t row, bool largest_first,
                        std::vector<std::uint64_t>& keys) {
  const float* values = row_values(rows, row);
  for (std::uint32_t column = 0; column < rows.columns; ++column)
    keys.push_back(make_key(distance_key(values[column], largest_first), column));
}

/// Writes a row's result from its k keys, padded with the no-row key.
inline void write_selected(const SelectionResult& result, const SelectionRows& rows, std::uint64_t row,
                           bool largest_first, const std::uint64_t* keys) {
  const auto* payload = at<const std::uint32_t>(result.payload);
  if (payload) payload += row * rows.row_stride;
  auto* indices = at<std::uint32_t>(result.indices) + row * result.k;
  auto* selected = at<float>(result.selected) + row * result.k;
  for (std::uint32_t slot = 0; slot < result.k; ++slot) {
    const std::uint64_t key = keys[slot];
    const std::uint32_t index = index_of(key);
    indices[slot] = payload && key != no_row_key ? payload[index] : index;
    selected[slot] = decoded_distance(key, largest_first, finish_none);
  }
}

}  // namespace proxel::passes
