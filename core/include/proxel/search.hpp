#pragma once

// Searches as plans that are recorded into any Recording: one of proxel's own,
// or one that wraps a caller's command buffer or stream.
//
// make() validates, sizes the scratch memory and builds what the passes need;
// record() only writes down passes, any number of times. Before it writes the first it checks all that it can
// know of what it is given, and throws Error(invalid_argument) that names the buffer, what it has and what it needs:
// views reach past no buffer's end, are large enough, aligned, and of the recording's device; what is written shares
// no memory with anything else; the recording is of the plan's device. A recording that was refused is as it was.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "proxel/device.hpp"
#include "proxel/export.h"
#include "proxel/metric.hpp"
#include "proxel/passes/types.h"
#include "proxel/plan.hpp"
#include "proxel/planned_for.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// A part of a database in device memory.
struct RowsSegment {
  passes::Rows rows;              ///< where the values lie; rows.count of them
  std::uint64_t first_index = 0;  ///< index of its row 0
};

/// The layout proxel's own indexes use: tiles of 128 rows, dimension by
/// dimension inside a tile. Takes ceil(rows/128) * 128 * dimensions * 4 bytes.
passes::Rows tiled_rows(std::uint64_t address, std::uint64_t rows, std::uint32_t dimensions);
/// Row-major data: row r starts at address + 4 * r * row_stride.
passes::Rows row_major_rows(std::uint64_t address, std::uint64_t rows, std::uint32_t row_stride);
/// Column-major data: dimension i starts at address + 4 * i * column_stride.
passes::Rows column_major_rows(std::uint64_t address, std::uint64_t rows, std::uint32_t column_stride);

/// Which rows a search may return: bit i % 32 of 32-bit word i / 32 is set
/// where row i may. Rows that may not never appear; where fewer than k remain
/// the result is padded. Bits past the last row are not looked at.
enum class FilterKind {
  none,       ///< every row
  shared,     ///< one filter, ceil(rows / 32) words
  per_query,  ///< [queries x ceil(rows / 32)] words
};

/// Words of one filter over that many rows.
constexpr std::uint64_t filter_words(std::uint64_t rows) { return rows / 32 + (rows % 32 != 0); }

/// Records the normalisation of rows for a metric that normalizes(): cosine or
/// pearson. Plans of these metrics take rows and queries that have been through
/// it; queries are row-major rows. The two may be the same rows.
/// @param to  room for the same rows, in the same or another layout
void record_normalize(Recording& recording, Metric metric, const passes::Rows& from, const passes::Rows& to,
                      std::uint32_t dimensions);

/// What every plan needs to know.
struct SearchDescription {
  Metric metric = Metric::l2sq;                            ///< cosine and pearson: see record_normalize()
  std::uint64_t rows = 0;                                  ///< of all segments or blocks together, 1…2^32-2
  std::uint32_t dimensions = 0;                            ///< 1…2^24
  std::uint32_t queries = 0;                               ///< at least 1
  std::uint64_t k = 1;                                     ///< at least 1; slots past `rows` are padded
  std::uint64_t scratch_limit = std::uint64_t{256} << 20;  ///< bytes, at least 1 MiB
  FilterKind filter = FilterKind::none;                    ///< of SearchBuffers::filter
  /// The search continues behind a neighbour of each query, SearchBuffers::after.
  bool continued = false;
  /// The method's own arithmetic, uncorrected. Plans without one refuse.
  bool raw = false;
  /// The device alone knows how many queries there are, SearchBuffers::count: at most
  /// `queries`. Served by boxes, by thresholds (fused), and by scans in one pass: rows in one segment
  /// and k up to what a workgroup holds at once, 1,024 as a rule. Other plans refuse.
  bool counted = false;
  /// Distances are left as rows are ordered by them, for merge() (proxel/merge.hpp): what the metric accumulates, of l2
  /// the squares, of cosine and pearson the products. What a search continues behind is of the same kind.
  bool ordered = false;

  bool operator==(const SearchDescription&) const = default;
};

/// What a plan of that description needs of the caller's buffers.
/// @param scratch_bytes  what the plan says of itself
SearchRequirements requirements_of(const SearchDescription& description, std::uint64_t scratch_bytes);

/// Fused scan: distances and selection over tiles of rows.
/// A few queries take one pass over the rows and a small merge; many queries
/// are tiled so that arithmetic is the limit. k above 1,024 is found in rounds
/// that continue after the last key of the round before.
/// A plan for few queries or few rows owns counters by which its workgroups find who
/// is last: its recordings must not execute at the same time.
class ScanPlan {
 public:
  /// Throws Error(invalid_argument | unsupported) naming the field at fault.
  static ScanPlan make(Device& device, const SearchDescription& description, std::span<const RowsSegment> segments);
  /// Whether there is none: default-constructed, or moved from. Every use of an empty plan throws Error(invalid_argument).
  bool empty() const { return implementation_.empty(); }

  /// Scratch that record() needs. Within description.scratch_limit, unless one
  /// query's k keys alone need more.
  std::uint64_t scratch_bytes() const;

  /// Records the search. Work recorded before must be made visible by a
  /// barrier of the caller; so must the results to what follows.
  /// @param segments  as many, with as many rows each in the same layout, as make() was given, whose addresses may
  ///                  have been others, or 0
  void record(Recording& recording, std::span<const RowsSegment> segments, const SearchBuffers& buffers) const;

 private:
  struct PROXEL_HIDDEN Implementation;
  Planned<Implementation> implementation_;
};

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
  struct Options {
    std::uint32_t dimensions_per_pass = 8;  ///< t, 1…16
    std::uint32_t reductions_per_pass = 0;  ///< see IndexOptions
  };

  /// Throws Error(invalid_argument) unless the options are in their ranges.
  static void check(const Options& options);

  /// Creates texR and the candidates' texture as well, which the plan owns.
  static TexelPlan make(Device& device, const SearchDescription& description, const TexelDatabase& database,
                        const Options& options);
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
