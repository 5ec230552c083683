// scan_select: distances of a few queries to every row, fused with selection.
// Workgroup x of query y visits the tiles 4j … 4j+3 for j = x, x + groups, … and
// writes the k smallest keys of their rows, ascending, padded with all ones.
// With tickets, the workgroup of a query that finishes last does at once what
// merge_lists and decode_keys would do with the query's lists, and sets the
// query's ticket back to 0, so that a search over one segment is one pass.
// Keys at or below `after` (all bits compared) are passed over, so that a
// search continues where an earlier one stopped; so are rows that the filter
// (types.h) leaves out.
// Workgroup size: 128, or 256 where a kernel gains from more invocations with fewer rows each.
// Constants: metric, accumulated; list_length, 1, or a power of two of at least max(k, 2); access,
// a sum of scan_reads_fours and scan_filters: scan_reads_fours where row_stride is 1 and every
// tile's rows can be read four at a time, 16-byte aligned; scan_filters where there is a filter.
// Grid: x = groups, y = queries.
#ifndef PROXEL_PASSES_SCAN_SELECT_H
#define PROXEL_PASSES_SCAN_SELECT_H
#include "types.h"
PROXEL_PASS_BEGIN
// Tiles that a workgroup takes at a time.
PROXEL_CONSTANT scan_tiles_per_step = 4u;
PROXEL_CONSTANT scan_reads_fours = 1u;
PROXEL_CONSTANT scan_filters = 2u;
struct ScanSelectParameters {
  Rows rows;
  PROXEL_ADDRESS queries;  // binary32, [queries x dimensions], row-major
  PROXEL_ADDRESS after;    // one key per query, `after_stride` keys apart; address 0: none
  PROXEL_ADDRESS lists;    // out: keys, [queries x groups x k]
  PROXEL_ADDRESS tickets;  // in and out: 32-bit, [queries], 0 before and after; address 0: lists only
  PROXEL_ADDRESS indices;    // with tickets, out: 32-bit, [queries x k]
  PROXEL_ADDRESS distances;  // with tickets, out: binary32, [queries x k]
  PROXEL_ADDRESS filter_bits; // bits of rows, filter_stride words between queries; address 0: none
  PROXEL_ADDRESS counted;    // 32-bit: queries there are; of those past them nothing is read or written; address 0: the grid's
  PROXEL_UINT dimensions;
  PROXEL_UINT groups;      // workgroups per query
  PROXEL_UINT k;           // keys written per workgroup, 1 … list length
  PROXEL_UINT after_stride;
  PROXEL_UINT query_stride; // elements between queries
  PROXEL_UINT first_index;  // index of row 0
  PROXEL_UINT finish;       // with tickets: as in decode_keys
  PROXEL_UINT filter_stride;
};
#define PROXEL_SCAN_SELECT_CONSTANTS(constant) \
  constant(0, PROXEL_METRIC, metric, METRIC, 0u) \
  constant(1, PROXEL_UINT, list_length, LIST_LENGTH, 1u) \
  constant(2, PROXEL_UINT, access, ACCESS, 0u)
PROXEL_CONSTANTS(ScanSelect, PROXEL_SCAN_SELECT_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ScanSelectParameters, ScanSelectConstants> scan_select;
/// @param workgroup_size  128 or 256; a device may support only one of them
Pass make_scan_select(const ScanSelectParameters& parameters, Metric metric, std::uint32_t query_count,
                      std::uint32_t workgroup_size = 128);
#endif
PROXEL_PASS_END
#endif
