// texel_reduce: FP3 of Bustos 2006, section 2. Keeps the smallest of four
// candidates in the first quarter of the texture: with half = ceil(extent / 2),
// texel (x, y) becomes the minimum of (x, y), (x + half_width, y),
// (x, y + half_height) and (x + half_width, y + half_height), so that every
// texel that is written is read by its writer alone.
// `rounds` such reductions are done at once by the same rule over what they
// leave: with (w, h) the extent halved (rounded up) `rounds` times, texel
// (x, y), x < w, y < h, becomes the minimum of all (x + i*w, y + j*h) inside
// the extent. One round is the paper's pass.
// Constants: sharers, invocations that share one output texel, a power of two that divides the
// workgroup size.
// Textures: [0] candidates, rgba32_uint, read and written.
// Grid: x covers the output texels, workgroup size / [1] of them each; z = queries.
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
#define PROXEL_TEXEL_REDUCE_CONSTANTS(constant) constant(0, PROXEL_UINT, sharers, SHARERS, 1u)
PROXEL_CONSTANTS(TexelReduce, PROXEL_TEXEL_REDUCE_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<TexelReduceParameters, TexelReduceConstants> texel_reduce;
Pass make_texel_reduce(const TexelReduceParameters& parameters, std::uint32_t query_count, Texture& candidates);
#endif
PROXEL_PASS_END
#endif
