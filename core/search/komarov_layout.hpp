#pragma once

#include <vector>

#include "proxel/papers/komarov.hpp"
#include "search/check.hpp"
#include "search/quick_multi_select.hpp"
#include "search/undecided.hpp"

namespace proxel {

/// How a search is cut into parts, and where its scratch memory has what.
struct KomarovPlan::Layout {
  PlannedFor planned_for;
  SearchDescription description;
  std::vector<RowsSegment> segments;  // as planned
  // Set by size():
  std::uint32_t found = 1;       // min(k, rows)
  std::uint32_t survivors = 1;   // rows selected per query
  std::uint32_t tile_width = 8;  // side of the square of threads of the product
  std::uint32_t block_queries = 1;
  std::uint32_t chunk_rows = 1;  // rows of a part: columns of the matrix
  std::uint32_t pitch = 4;       // elements between queries in the matrix
  // The nearest so far of a query and, behind them, those of the next part:
  // elements between queries in either of the two pools.
  std::uint32_t pool_stride = 1;
  bool by_subgroup = false;
  search::QuickMultiSelect select;  // of a part
  search::QuickMultiSelect merge;   // of what a pool holds
  search::RescueSize rescue;
  std::uint32_t workspace_bytes = 0;

  struct Pool {
    std::uint64_t values = 0;
    std::uint64_t indices = 0;
  };
  Pool pools[2];
  std::uint64_t row_norms = 0;
  std::uint64_t query_norms = 0;
  std::uint64_t largest = 0;
  std::uint64_t auxiliary = 0;
  std::uint64_t workspace = 0;
  std::uint64_t keys = 0;
  std::uint64_t undecided = 0;
  std::uint64_t rescue_lists = 0;
  std::uint64_t matrix = 0;
  std::uint64_t scratch_bytes = 0;
  std::unique_ptr<Buffer> counts;  // read back: what each block told

  /// Whether |r|^2 - 2 q.r is selected from; otherwise the product of normalised values.
  bool expands() const { return accumulated(description.metric) == Metric::l2sq; }
  bool one_part() const { return chunk_rows >= description.rows; }

  /// Whether rows are dropped whose absence from the answer has to be proven.
  bool certifies() const { return !description.raw && survivors < description.rows; }
  std::uint64_t blocks() const { return search::divide_up(description.queries, block_queries); }

  void size(const Device& device, SelectionMethod selection);
};

}  // namespace proxel
