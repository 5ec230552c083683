// insertion_sort: the modified insertion sort of Garcia 2010, section 2.2. One
// invocation per query walks down its column of the distance matrix and inserts
// an element among the k smallest so far only if it is below the k-th; the row's
// index goes to the same place of the k x q index matrix. Rows come in order of
// their indices, so that of equal distances the lower index stays first.
// An invocation may loop row_count * k times; llvmpipe ends a shader silently
// after 65,535, so that longer blocks have to come in parts there.
// Continues over several blocks of rows: the k smallest so far are its state.
// Grid: x covers the queries.
#ifndef PROXEL_PASSES_INSERTION_SORT_H
#define PROXEL_PASSES_INSERTION_SORT_H
#include "types.h"
PROXEL_PASS_BEGIN
struct InsertionSortParameters {
  PROXEL_ADDRESS keys;             // 32-bit distance keys, [row_count x query_count], row i at keys + 4 * i * row_pitch
  PROXEL_ADDRESS nearest_keys;     // in and out: 32-bit, [k x query_count], rank r at nearest_keys + 4 * r * rank_pitch
  PROXEL_ADDRESS nearest_indices;  // in and out: the same for the index matrix; address 0: distances alone
  PROXEL_UINT query_count;
  PROXEL_UINT row_count;
  PROXEL_UINT row_pitch;           // 32-bit words
  PROXEL_UINT k;
  PROXEL_UINT rank_pitch;          // 32-bit words
  PROXEL_UINT rows_before;         // rows of earlier blocks: min(k, rows_before) ranks hold something
  PROXEL_UINT first_index;         // index of the first row
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<InsertionSortParameters> insertion_sort;
Pass make_insertion_sort(const InsertionSortParameters& parameters);
#endif
PROXEL_PASS_END
#endif
