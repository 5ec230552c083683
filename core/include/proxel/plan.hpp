#pragma once

// The one interface of searches that are planned once and recorded any number of times: among rows, strings and
// signatures, for the nearest, within a radius and for all distances.

#include <cstdint>
#include <string_view>
#include <vector>

#include "proxel/device.hpp"
#include "proxel/export.h"
#include "proxel/report.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// Where a search continues, per query. Pages that continue behind each other's
/// last neighbours give, joined, what one search for all of them gives, bit for
/// bit. The rules for a pair (distance, index):
///   - index no_neighbor, as in padding: nothing is left, the page is padding;
///   - otherwise the neighbours found are those that come after the pair in the
///     order of Neighbors, whether or not it is a row: -infinity (+infinity for
///     ip) and index 0 begin at the first neighbour, and 5.0 with index 0xFFFFFFFE
///     continues behind every row at 5.0 or nearer;
///   - l2 is ordered by its squares, of which several may have one root. Where
///     the row of that index has that distance, the page continues exactly behind
///     it; a pair that is no row stands at the largest square whose root is at
///     most the distance.
struct SearchAfter {
  BufferView distances;      ///< binary32, one per query
  BufferView indices;        ///< 32-bit, one per query
  std::uint32_t stride = 1;  ///< elements between queries; k for the results of a page
};

/// The caller's buffers of one search. Those that a plan does not require are not looked at.
struct SearchBuffers {
  /// Read: binary32 [queries x dimensions], row-major, 16-byte aligned; of strings EncodedStrings::symbols, at least one
  /// word; of signatures what SignaturePlan::pack() wrote, 4-byte aligned, for which memory that the host writes serves well.
  BufferView queries;
  BufferView scratch;  ///< clobbered: at least scratch_bytes(), 256-byte aligned
  /// Written: 32-bit [queries x k]. Within a radius: as many slots as indices and distances both have (the
  /// capacity), 4-byte aligned. Each query's matches lie at its offsets, ordered by (distance, index) as in
  /// Neighbors. A query is written whole or not at all: one that would reach past the capacity, and with it every
  /// later one, leaves its slots undefined. Of all distances there are none.
  BufferView indices;
  /// Written: binary32, as many; of all distances [queries x SignaturePlan::distance_stride()], 16-byte aligned.
  BufferView distances;
  /// Read, unless the description's filter is none: as FilterKind says, 4-byte aligned.
  BufferView filter = {};
  /// Read where the search is continued: for each query, a place in the order of
  /// (distance, index), behind which the k neighbours are found; usually the last
  /// neighbour of the page before, whose buffers may be given as they are.
  SearchAfter after = {};
  /// Read where the queries are counted by the device: 32-bit, 4-byte aligned. The results
  /// of queries past that many stay as they are; more than the description's are not answered.
  BufferView count = {};
  /// Read, of strings: 32-bit [queries + 1], EncodedStrings::offsets.
  BufferView query_offsets = {};
  /// Within a radius: 64-bit [queries + 1], 8-byte aligned. Written when matches are counted: those of query i are
  /// offsets[i] … offsets[i + 1] - 1, exactly counted whatever there is room for; the last is the number of all.
  /// Read when they are written.
  BufferView offsets = {};
  /// Read where the rows are the caller's: binary32, 4-byte aligned. Of an index there are none.
  BufferView rows = {};
  /// Read by selections: binary32 [rows x columns], and 32-bit as many that stand in place of the columns.
  BufferView values = {};
  BufferView payload = {};
  /// Read where each query's own row is left out: 32-bit, one per query, 4-byte aligned: the number of the row that it
  /// is, known by it alone, so that duplicates stay; no_neighbor for a query that is none.
  BufferView self = {};
  /// Read where the description is bounded: binary32, one per query, 4-byte aligned, as the metric is accumulated (of l2 the
  /// square, of ip and cosine the product): a row that is farther need not be found, and fewer than k are padded then. NaN or infinity: none is known.
  BufferView bounds = {};
};

/// What is done with a buffer, whatever the backend: bits of BufferRequirement::usage.
/// proxel::vulkan::buffer_usage() says them as Vulkan does; CUDA memory serves all.
enum BufferUsage : std::uint32_t {
  usage_storage = 1,               ///< kernels read or write it
  usage_device_address = 2,        ///< they reach it by its address
  usage_transfer_source = 4,       ///< it is copied from
  usage_transfer_destination = 8,  ///< it is copied to or filled
};

/// What a buffer has to be for a search to be recorded over it.
struct BufferRequirement {
  std::uint64_t bytes = 0;      ///< at least so many; 0: the search has no such buffer
  std::uint64_t alignment = 1;  ///< of its address, bytes; a power of two
  std::uint32_t usage = 0;      ///< BufferUsage bits

  bool operator==(const BufferRequirement&) const = default;
};

/// What SearchBuffers have to be, member by member. Within a radius indices and distances are as large as the caller
/// wants, from one slot on; of strings the symbols are those of queries as long as was planned.
struct SearchRequirements {
  BufferRequirement queries;
  BufferRequirement scratch;
  BufferRequirement indices;
  BufferRequirement distances;
  BufferRequirement filter;           ///< unless the description's filter is none
  BufferRequirement after_distances;  ///< where the search is continued, at a stride of 1;
  BufferRequirement after_indices;    ///< the last pair of another stride lies at (queries - 1) * stride
  BufferRequirement count;            ///< where the device counts the queries
  BufferRequirement query_offsets;    ///< of strings
  BufferRequirement offsets;          ///< within a radius
  BufferRequirement rows;             ///< of rows of the caller's
  BufferRequirement values;           ///< of selections, like the next
  BufferRequirement payload;
  BufferRequirement self;    ///< where each query's own row is left out
  BufferRequirement bounds;  ///< where the description is bounded

  bool operator==(const SearchRequirements&) const = default;
};

/// What of a search is recorded. A search within a radius can have two halves: between them the caller reads how many
/// matches there are, and makes room for them.
enum class SearchPart {
  whole,
  count,  ///< the offsets alone: distances are evaluated and nothing but counted
  fill,   ///< the matches, at the offsets that counting the same search left
};

/// What a plan came to.
struct PlanInfo {
  std::string_view method;            ///< what answers, a literal: "fused", "screened"
  std::uint64_t distance_stride = 0;  ///< of all distances: elements from query to query
};

/// One search, planned for a number of queries and what they ask for: recorded any number of times, into any
/// Recording; its recordings must not execute at the same time. Outlives the execution of what it recorded; the
/// index that it was made of outlives it.
class Plan {
 public:
  virtual ~Plan() = default;

  /// What the buffers given to record() have to be.
  virtual SearchRequirements requirements() const = 0;
  /// Scratch memory that any of the recordings needs, bytes.
  std::uint64_t scratch_bytes() const { return requirements().scratch.bytes; }

  /// Whether it can be recorded in halves.
  virtual bool has_halves() const { return false; }
  /// Writes the search down. Allocates, submits and waits for nothing. Barriers before and after it are the caller's.
  /// Throws Error(unsupported) for a half where there are none; Error(invalid_argument), before anything is written,
  /// for buffers that are not what is required.
  virtual void record(Recording& recording, const SearchBuffers& buffers,
                      SearchPart part = SearchPart::whole) const = 0;

  virtual PlanInfo info() const { return {}; }
  /// Queries that each rung decided in the latest execution, which has finished;
  /// empty where the method has no rungs.
  virtual std::vector<RungCount> rungs() const { return {}; }
};

}  // namespace proxel
PROXEL_PUBLIC_END
