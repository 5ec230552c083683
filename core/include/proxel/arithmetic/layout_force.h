// Forces of a layout between two vertices of a graph: those of a Student's t kernel, as of UMAP with a = b = 1
// (McInnes, Healy, Melville 2018). Nothing but additions, subtractions and multiplications of binary32 that round
// once, and 32-bit integers: the same bits on every device.
#ifndef PROXEL_ARITHMETIC_LAYOUT_FORCE_H
#define PROXEL_ARITHMETIC_LAYOUT_FORCE_H
#include "../passes/types.h"
#include "scalar.h"
PROXEL_ARITHMETIC_BEGIN

// Positions are multiples of 2^-12 between -1,000 and 1,000, so that no difference of them, and no force, is subnormal.
PROXEL_INLINE PROXEL_FLOAT placed(PROXEL_FLOAT value) {
  PROXEL_PRECISE PROXEL_FLOAT shifted = (value < 1000.0f ? (value > -1000.0f ? value : -1000.0f) : 1000.0f) + 3072.0f;
  PROXEL_PRECISE PROXEL_FLOAT back = shifted - 3072.0f;
  return back;
}

// 1 / value within 2^-22 of it, for 1e-3 … 1e14: Newton's steps from a guess in integers.
PROXEL_INLINE PROXEL_FLOAT inverse_of(PROXEL_FLOAT value) {
  PROXEL_PRECISE PROXEL_FLOAT inverse = float_of_bits(0x7EF311C7 - bits_of(value));
  for (PROXEL_INT step = 0; step < 4; ++step) {
    PROXEL_PRECISE PROXEL_FLOAT left = 2.0f - value * inverse;
    inverse = inverse * left;
  }
  return inverse;
}

// What a neighbour's difference in position is multiplied with, by the square of its length.
PROXEL_INLINE PROXEL_FLOAT attraction_of(PROXEL_FLOAT square) {
  PROXEL_PRECISE PROXEL_FLOAT weight = 2.0f * inverse_of(1.0f + square);
  return weight;
}

// The same for one that is pushed away.
PROXEL_INLINE PROXEL_FLOAT repulsion_of(PROXEL_FLOAT square, PROXEL_FLOAT strength) {
  PROXEL_PRECISE PROXEL_FLOAT near = 0.001f + square;
  PROXEL_PRECISE PROXEL_FLOAT far = 1.0f + square;
  PROXEL_PRECISE PROXEL_FLOAT weight = (2.0f * strength) * (inverse_of(near) * inverse_of(far));
  return weight;
}

// A coordinate of a force is at most so large, so that vertices on top of each other do not fly apart.
PROXEL_INLINE PROXEL_FLOAT limited_force(PROXEL_FLOAT force) {
  return force < 4.0f ? (force > -4.0f ? force : -4.0f) : 4.0f;
}

// The vertex that another is pushed away from: drawn by its number, the step, and which draw it is.
PROXEL_INLINE PROXEL_UINT drawn_vertex(PROXEL_UINT vertex, PROXEL_UINT step, PROXEL_UINT draw, PROXEL_UINT vertices) {
  PROXEL_UINT bits = vertex * 0x9E3779B9u + step * 0x7FEB352Du + draw * 0x846CA68Bu;
  bits ^= bits >> 16;
  bits *= 0x85EBCA6Bu;
  bits ^= bits >> 13;
  bits *= 0xC2B2AE35u;
  bits ^= bits >> 16;
  return bits % vertices;
}

PROXEL_ARITHMETIC_END
#endif
