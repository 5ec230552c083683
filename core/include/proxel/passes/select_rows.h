// select_rows: the k smallest of a running list and a range of distance keys.
// Workgroup (x, y) is segment x of query y: it takes the columns
// x*segment_columns … of the query's distance keys and the segment's running
// list, and writes the k smallest keys back as the running list.
// Keys at or below `after` and rows that the filter (types.h) leaves out are
// passed over.
// Constants: list_length, 1, or a power of two of at least max(k, 2); filtered, 1 where there is a
// filter.
// Grid: x = segments, y = queries.
#ifndef PROXEL_PASSES_SELECT_ROWS_H
#define PROXEL_PASSES_SELECT_ROWS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct SelectRowsParameters {
  PROXEL_ADDRESS keys;        // 32-bit distance keys, [queries x columns], keys_stride words apart
  PROXEL_ADDRESS lists;       // in and out: keys, [queries x segments x k], ascending
  PROXEL_ADDRESS after;       // one key per query, after_stride keys apart; address 0: none
  PROXEL_ADDRESS filter_bits; // bits of rows, filter_stride words between queries; address 0: none
  PROXEL_UINT columns;
  PROXEL_UINT keys_stride;
  PROXEL_UINT first_index;    // index of column 0's row
  PROXEL_UINT segments;
  PROXEL_UINT segment_columns; // a multiple of 4
  PROXEL_UINT k;
  PROXEL_UINT after_stride;
  PROXEL_UINT first_chunk;    // 1: the running lists are empty yet and are not read
  PROXEL_UINT filter_stride;
  PROXEL_UINT reserved;
};
#define PROXEL_SELECT_ROWS_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, list_length, LIST_LENGTH, 1u) \
  constant(1, PROXEL_UINT, filtered, FILTERED, 0u)
PROXEL_CONSTANTS(SelectRows, PROXEL_SELECT_ROWS_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<SelectRowsParameters, SelectRowsConstants> select_rows;
Pass make_select_rows(const SelectRowsParameters& parameters, std::uint32_t query_count);
#endif
PROXEL_PASS_END
#endif
