#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "proxel/papers/bustos.hpp"

namespace proxel {

/// What a TexelPlan came to.
struct TexelPlan::Implementation {
  void record(Recording& recording, const TexelDatabase& database, const SearchBuffers& buffers) const;
  struct Round;  // the queries that are searched together
  void require_planned(const TexelDatabase&) const;
  void record_block(Recording&, const TexelDatabase::Block&, std::uint32_t layers_per_texture, const Round&) const;
  void record_reduction(Recording&, std::uint32_t width, std::uint32_t height, std::uint32_t query_count) const;

  PlannedFor device_;
  SearchDescription description_;
  BustosOptions options_;
  std::uint64_t database_block_rows_ = 0;  // of the database that was planned for
  std::uint32_t database_layers_ = 0;
  std::uint32_t selectable_ = 0;     // min(k, rows)
  std::uint32_t block_queries_ = 1;  // queries accumulated together: layers of texR
  std::uint64_t after_offset_ = 0;
  std::uint64_t lists_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
  std::unique_ptr<Texture> accumulated_;  // texR
  std::unique_ptr<Texture> candidates_;
};

}  // namespace proxel
