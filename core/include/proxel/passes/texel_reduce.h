// texel_reduce: FP3 of Bustos 2006, section 2. Keeps the smallest of four
// candidates in the first quarter of the texture: with half = ceil(extent / 2),
// texel (x, y) becomes the minimum of (x, y), (x + half_width, y),
// (x, y + half_height) and (x + half_width, y + half_height), so that every
// texel that is written is read by its writer alone. `rounds` reductions are
// done at once where one workgroup covers what is left.
// Constants: [0] workgroup size (a multiple of 32).
// Textures: [0] candidates, rgba32_uint, read and written.
// Grid: rounds = 1: x, y cover the halves as in texel_accumulate; rounds > 1: 1, 1. z = queries.
#ifndef PROXEL_PASSES_TEXEL_REDUCE_H
#define PROXEL_PASSES_TEXEL_REDUCE_H
#include "types.h"
PROXEL_PASS_BEGIN
struct TexelReduceParameters {
  PROXEL_UINT width;    // extent of what is still to be reduced
  PROXEL_UINT height;
  PROXEL_UINT rounds;
  PROXEL_UINT reserved;
};
PROXEL_PASS_END
#endif
