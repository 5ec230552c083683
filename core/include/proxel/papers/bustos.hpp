#pragma once

// The search of Bustos, Deussen, Hiller and Keim, "A Graphics Hardware Accelerated
// Algorithm for Nearest Neighbor Search" (2006), as a plan (proxel/search.hpp).

#include <cstdint>
#include <memory>
#include <vector>

#include "proxel/export.h"
#include "proxel/papers/options.hpp"
#include "proxel/search.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// The database of a texel search: blocks of textures (Bustos 2006, section 2).
class TexelDatabase {
 public:
  struct Block {
    std::uint64_t first_row = 0;
    std::uint32_t rows = 0;
    std::uint32_t width = 0;  ///< texels; four rows each
    std::uint32_t height = 0;
    /// Layer j of texture i is dimension i * layers_per_texture + j.
    std::vector<std::unique_ptr<Texture>> coordinates;
  };

  /// Creates the textures; their contents are undefined until packed.
  /// @param block_rows  rows per block, rounded up to a multiple of 4 and down
  ///                    to what one texture of the device can hold
  TexelDatabase(Device& device, std::uint64_t rows, std::uint32_t dimensions, std::uint64_t block_rows);
  /// An empty one, of which every use throws Error(invalid_argument).
  TexelDatabase() = default;

  /// Records the packing of rows first_row … first_row + row_count - 1, which
  /// lie in one block and start at a multiple of 4 within it.
  /// @param source  binary32 [row_count x dimensions], row-major
  /// Throws Error(invalid_argument) before it records anything.
  void record_pack(Recording& recording, const BufferView& source, std::uint64_t first_row,
                   std::uint32_t row_count) const;

  const std::vector<Block>& blocks() const { return blocks_; }
  std::uint64_t rows() const { return rows_; }
  std::uint32_t dimensions() const { return dimensions_; }
  std::uint32_t layers_per_texture() const { return layers_per_texture_; }
  std::uint64_t rows_per_block() const { return rows_per_block_; }
  const PlannedFor& made_for() const { return device_; }

 private:
  PlannedFor device_;
  std::uint64_t rows_ = 0;
  std::uint32_t dimensions_ = 0;
  std::uint32_t layers_per_texture_ = 0;
  std::uint64_t rows_per_block_ = 0;
  std::vector<Block> blocks_;
};

/// Texel search as in Bustos 2006, section 2: accumulate, channel minimum, 4:1
/// reduction, one texel kept per query. For k > 1 minimum and reduction are
/// repeated behind the key found last, k at most 1,024. Filtered and continued as
/// the scan is, but for l2, which it does not continue: its rows are in textures.
/// A plan owns texR and the candidates' texture: it outlives the execution of
/// what it recorded, and its recordings must not execute at the same time.
class TexelPlan {
 public:
  /// Throws Error(invalid_argument) unless the options are in their ranges.
  static void check(const BustosOptions& options);

  /// Creates texR and the candidates' texture as well, which the plan owns.
  static TexelPlan make(Device& device, const SearchDescription& description, const TexelDatabase& database,
                        const BustosOptions& options);
  /// Whether there is none: default-constructed, or moved from. Every use of an empty plan throws Error(invalid_argument).
  bool empty() const { return implementation_.empty(); }

  std::uint64_t scratch_bytes() const;

  /// @param database  the one that make() was given, or one of the same size and device
  void record(Recording& recording, const TexelDatabase& database, const SearchBuffers& buffers) const;

 private:
  struct PROXEL_HIDDEN Implementation;
  Planned<Implementation> implementation_;
};

/// Whether a method can serve k on any device: texel search stops at 1,024.
Support texel_supports(std::uint64_t k, std::uint64_t rows);
/// Whether texel search can filter and continue as described: all but continuing
/// metrics that are ordered by what their distances are made from (l2, cosine, pearson).
Support texel_supports_narrowing(const SearchDescription& description);

}  // namespace proxel
PROXEL_PUBLIC_END
