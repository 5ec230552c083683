#pragma once

#include <algorithm>

#include "search/komarov_layout.hpp"

namespace proxel::search {

/// One block of queries on its way through the passes.
class KomarovBlock {
 public:
  KomarovBlock(Recording& recording, const KomarovPlan::Layout& layout, const RowsSegment& segment,
               const SearchBuffers& buffers, std::uint32_t first)
      : recording_(recording),
        layout_(layout),
        segment_(segment),
        buffers_(buffers),
        first_(first),
        queries_(std::min(layout.block_queries, layout.description.queries - first)),
        values_(buffers.queries.address() + std::uint64_t{first} * layout.description.dimensions * 4) {}

  void record_query_norms() const;
  /// Products of a part of the rows, and their nearest with those of the parts before.
  void record_part(std::uint32_t first_row, std::uint32_t row_count);
  /// What a part is made of; between product and selection, and behind that, goes a barrier.
  void record_row_norms(std::uint32_t first_row, std::uint32_t row_count) const;
  void record_product(std::uint32_t first_row, std::uint32_t row_count) const;
  void record_selection(std::uint32_t first_row, std::uint32_t row_count);
  /// The answer, behind the last part.
  void record_answer() const;

 private:
  std::uint64_t scratch(std::uint64_t offset) const { return buffers_.scratch.address() + offset; }
  std::uint64_t first_slot() const { return first_ * layout_.description.k; }
  void record_raw() const;
  void record_exact() const;
  void record_merge(std::uint32_t of_part, bool last);
  void record_rescue(std::uint64_t undecided) const;

  Recording& recording_;
  const KomarovPlan::Layout& layout_;
  const RowsSegment& segment_;
  const SearchBuffers& buffers_;
  std::uint32_t first_;  // query
  std::uint32_t queries_;
  std::uint64_t values_;    // address of the first query
  std::uint32_t held_ = 0;  // nearest so far of each query
  std::uint32_t pool_ = 0;  // that holds them
};

}  // namespace proxel::search
