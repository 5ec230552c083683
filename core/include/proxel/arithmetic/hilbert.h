// Places on a Hilbert curve, along which neighbours are neighbours in space: Hamilton and Rau-Chaplin,
// "Compact Hilbert indices" (2008), section 2, with the curve's turns kept as a rotation and a mask of reflected axes.
#ifndef PROXEL_ARITHMETIC_HILBERT_H
#define PROXEL_ARITHMETIC_HILBERT_H
#include "../passes/types.h"
#include "scalar.h"
PROXEL_ARITHMETIC_BEGIN

PROXEL_INLINE PROXEL_UINT gray_code(PROXEL_UINT value) { return value ^ (value >> 1); }

// The value whose Gray code this is; of up to 8 bits.
PROXEL_INLINE PROXEL_UINT of_gray_code(PROXEL_UINT code) {
  code ^= code >> 1;
  code ^= code >> 2;
  return code ^ (code >> 4);
}

// The place on the curve of a Morton code, whose bit b * dimensions + axis is bit b of a coordinate.
// @param dimensions  1 … 8
// @param digits      bits of each coordinate; digits * dimensions is at most 32
PROXEL_INLINE PROXEL_UINT hilbert_place(PROXEL_UINT morton, PROXEL_UINT dimensions, PROXEL_UINT digits) {
  const PROXEL_UINT all = (1u << dimensions) - 1u;
  PROXEL_UINT reflected = 0u;
  PROXEL_UINT turned = 0u;  // axes that the curve is rotated by, less one
  PROXEL_UINT place = 0u;
  for (PROXEL_UINT digit = digits; digit-- != 0u;) {
    const PROXEL_UINT turn = turned + 1u;
    const PROXEL_UINT corner = ((morton >> (digit * dimensions)) & all) ^ reflected;
    const PROXEL_UINT number = of_gray_code(((corner >> turn) | (corner << (dimensions - turn))) & all);
    place = (place << dimensions) | number;
    // Where the curve enters that corner's cube, and the axis along which it leaves it.
    const PROXEL_UINT entry = number == 0u ? 0u : gray_code((number - 1u) & ~1u);
    reflected ^= ((entry << turn) | (entry >> (dimensions - turn))) & all;
    PROXEL_UINT ones = (number & 1u) != 0u ? number : number == 0u ? 0u : number - 1u;
    PROXEL_UINT axis = 0u;  // ones at the end of it
    for (; (ones & 1u) != 0u; ones >>= 1) ++axis;
    turned = (turned + axis + 1u) % dimensions;
  }
  return place;
}

PROXEL_ARITHMETIC_END
#endif
