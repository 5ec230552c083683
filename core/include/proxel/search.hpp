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

/// What is known of the values of queries before a search sees them. Where it does not hold the search takes longer, and
/// the answer is the same.
enum class QueryValues {
  any,     ///< nothing
  int8,    ///< integers from -128 to 127
  uint8,   ///< integers from 0 to 255
  either,  ///< integers of the one kind or the other, or of both
};

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
  /// Of each query a distance may be known beyond which no row needs to be found, SearchBuffers::bounds: where many queries are
  /// searched by half precision or integers that spares a part of the work. Other plans look at none.
  bool bounded = false;
  /// With `bounded`, where a plan looks at those distances: nothing else tells it how far to look, which spares another part.
  /// Queries of which none is known, or of which too many rows lie within it, are left without neighbours, and
  /// Plan::rungs() counts them as "undecided".
  bool unsampled = false;
  /// Where rows are integers as well, products of both are those of integers.
  QueryValues values = QueryValues::any;
  /// Of a ScreenedPlan: its copy is all that there is of the rows, whose address is not looked at. Queries that integers leave undecided
  /// have no neighbours, and Plan::rungs() counts them as "undecided". Codes answer nothing: see ScreenedPlan::collected().
  bool copy_alone = false;
  /// Of a ScreenedPlan: how far to look is what rows of a sample prove. Otherwise it may be an estimate, which what is found has to
  /// bear out. Where that fails for many queries, which a plan counts as undecided at first, this spares the search that is in vain;
  /// an Index finds out by itself, of its searches but not of the plans that it gives away.
  bool cautious = false;
  /// Of a ScreenedPlan of halves: products are summed up in binary32. Otherwise, where queries are many and dimensions up to 128, matrix
  /// units may sum them up in half precision, which is sooner and leaves more rows within the error of scores. Where these are so many
  /// that queries are left undecided, this spares the search that is in vain; an Index finds out by itself, as of `cautious`.
  bool binary32_sums = false;

  bool operator==(const SearchDescription&) const = default;
};

/// What a plan of that description needs of the caller's buffers.
/// @param scratch_bytes  what the plan says of itself
SearchRequirements requirements_of(const SearchDescription& description, std::uint64_t scratch_bytes);

/// Fused scan: distances and selection over tiles of rows.
/// A few queries take one pass over the rows and a small merge; many queries
/// are tiled so that arithmetic is the limit. For many neighbours all distances of
/// a block of queries are kept and selected from, where scratch_limit has room for
/// them; else k above 1,024 is found in rounds that continue after the last key of
/// the round before.
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

}  // namespace proxel
PROXEL_PUBLIC_END
