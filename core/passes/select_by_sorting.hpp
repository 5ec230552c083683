#pragma once

#include "passes/selection_rows.hpp"
#include "passes/smallest.hpp"

namespace proxel::passes {

/// Selects from every row by sorting all of its keys: the reference of the
/// passes that select whole rows.
inline void select_by_sorting(const SelectionRows& rows, const SelectionResult& result, bool largest_first) {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> smallest(result.k);
  for (std::uint64_t row = 0; row < rows.rows; ++row) {
    keys.clear();
    append_keys(rows, row, largest_first, keys);
    write_smallest(keys, result.k, smallest.data());
    write_selected(result, rows, row, largest_first, smallest.data());
  }
}

}  // namespace proxel::passes
