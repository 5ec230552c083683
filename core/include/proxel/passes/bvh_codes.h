// bvh_codes: one dimension's part of the codes by which rows are ordered, their places on a
// Hilbert curve over ranks instead of coordinates: no outlier then decides where all others lie.
// The row that stands at place r of `order` has rank r, of which the bits from
// `shift` on are spread: bit b becomes bit b * dimensions + axis of its code. Axis
// 0 writes bvh_code_base plus its bits, the others add theirs; the last makes of the whole, which is a
// Morton code then, the place on the curve (arithmetic/hilbert.h). Codes are the
// bits of positive normal binary32 values, so that what sorts values sorts them.
// Grid: x strides over rows.
#ifndef PROXEL_PASSES_BVH_CODES_H
#define PROXEL_PASSES_BVH_CODES_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT bvh_code_bits = 30u;
PROXEL_CONSTANT bvh_code_base = 0x00800000u;
// Bits of a rank that a code has.
PROXEL_FUNCTION PROXEL_UINT bvh_rank_bits(PROXEL_UINT dimensions) { return bvh_code_bits / dimensions; }
struct BvhCodesParameters {
  PROXEL_ADDRESS order;  // 32-bit [row_count]: rows by ascending coordinate
  PROXEL_ADDRESS codes;  // in and out: 32-bit [row_count], by row
  PROXEL_UINT row_count;
  PROXEL_UINT axis;      // 0 … dimensions - 1, one pass after another
  PROXEL_UINT dimensions;
  PROXEL_UINT shift;     // (row_count - 1) >> shift has at most bvh_rank_bits bits
};
#ifdef __cplusplus
extern const PassKindOf<BvhCodesParameters> bvh_codes;
Pass make_bvh_codes(const BvhCodesParameters& parameters);
#endif
PROXEL_PASS_END
#endif
