// transpose: a matrix of 32-bit words as its columns (Komarov 2013, section "Distance calculation": the products of
// the one set by the other are those of the other by the one).
// Element (row, column) at from + 4 * (row * from_pitch + column) goes to to + 4 * (column * to_pitch + row).
// Words pass through squares in shared memory, so that neighbouring threads read and write neighbouring words.
// Grid: x strides over squares of columns, y over squares of rows.
#ifndef PROXEL_PASSES_TRANSPOSE_H
#define PROXEL_PASSES_TRANSPOSE_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT transpose_side = 32u;  // of a square
struct TransposeParameters {
  PROXEL_ADDRESS from;     // 32-bit
  PROXEL_ADDRESS to;       // out: 32-bit, no part of `from`
  PROXEL_UINT rows;        // at least 1
  PROXEL_UINT columns;     // at least 1
  PROXEL_UINT from_pitch;  // words, at least `columns`
  PROXEL_UINT to_pitch;    // words, at least `rows`
};
#ifdef __cplusplus
extern const PassKindOf<TransposeParameters> transpose;
Pass make_transpose(const TransposeParameters& parameters);
#endif
PROXEL_PASS_END
#endif
