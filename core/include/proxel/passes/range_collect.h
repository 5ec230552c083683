// range_collect: the rows within a radius, out of distance keys. Workgroup
// (x, y) takes the columns x*segment_columns … of query y. A match is a column
// whose distance key is at most `limit` and whose row the filter (types.h) allows.
// Matches are counted: counters[y] grows by their number. With `indices` they
// are also written, in any order, where the counter stood before they were
// counted, behind the query's offset; nothing is written for a query whose
// matches do not all lie below `capacity`.
// Constants: filtered, 1 where there is a filter; content, what `keys` holds: range_keys, or the
// distances themselves, range_values where the smallest are the nearest and range_values_descending
// where the largest are.
// Grid: x = segments, y = queries.
#ifndef PROXEL_PASSES_RANGE_COLLECT_H
#define PROXEL_PASSES_RANGE_COLLECT_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT range_keys = 0u;
PROXEL_CONSTANT range_values = 1u;
PROXEL_CONSTANT range_values_descending = 2u;
struct RangeCollectParameters {
  PROXEL_ADDRESS keys;           // 32-bit distance keys, or binary32, [queries x columns], keys_stride words apart, 16-byte aligned
  PROXEL_ADDRESS filter_bits;    // bits of rows, filter_stride words between queries; address 0: none
  PROXEL_ADDRESS counters;       // in and out: 32-bit, [queries]
  PROXEL_ADDRESS offsets;        // 64-bit, [queries + 1] (range_offsets.h); read with indices
  PROXEL_ADDRESS indices;        // out: 32-bit, [capacity]; address 0: matches are counted only
  PROXEL_ADDRESS distance_keys;  // out: 32-bit, [capacity]
  PROXEL_ADDRESS capacity;       // a 64-bit number
  // 32-bit [queries x columns], rows_stride apart: the index of each column's row; address 0:
  // they follow first_index. Not with a filter.
  PROXEL_ADDRESS rows;
  PROXEL_UINT columns;
  PROXEL_UINT keys_stride;       // a multiple of 4
  PROXEL_UINT first_index;       // index of column 0's row, without `rows`
  PROXEL_UINT segment_columns;   // a multiple of 4
  PROXEL_UINT limit;             // the largest distance key that matches, below that of NaN
  PROXEL_UINT filter_stride;
  PROXEL_UINT rows_stride;
  PROXEL_UINT reserved;
};
#define PROXEL_RANGE_COLLECT_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, filtered, FILTERED, 0u) \
  constant(1, PROXEL_UINT, content, CONTENT, range_keys)
PROXEL_CONSTANTS(RangeCollect, PROXEL_RANGE_COLLECT_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<RangeCollectParameters, RangeCollectConstants> range_collect;
/// @param content  range_keys, range_values or range_values_descending
Pass make_range_collect(const RangeCollectParameters& parameters, std::uint32_t query_count,
                        std::uint32_t content = range_keys);
#endif
PROXEL_PASS_END
#endif
