// squared_norms: the squared Euclidean norm of every row (steps 1 and 2 of
// Garcia 2010, section 2.3): s = s + r_i * r_i, dimension by dimension, one
// rounding per operation; NaN is written as 0x7FC00000. Queries are rows of a row-major layout.
// Grid: x strides over the rows.
#ifndef PROXEL_PASSES_SQUARED_NORMS_H
#define PROXEL_PASSES_SQUARED_NORMS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct SquaredNormsParameters {
  Rows rows;
  PROXEL_ADDRESS norms;    // out: binary32, [row_count]
  // In and out: 32-bit: raised to the bits of the largest norm that is not NaN
  // (as integers norms order as their values do); address 0: not wanted.
  PROXEL_ADDRESS largest;
  PROXEL_UINT dimensions;
  PROXEL_UINT first_row;   // rows first_row … first_row + row_count - 1, all below rows.count
  PROXEL_UINT row_count;
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<SquaredNormsParameters> squared_norms;
Pass make_squared_norms(const SquaredNormsParameters& parameters);
#endif
PROXEL_PASS_END
#endif
