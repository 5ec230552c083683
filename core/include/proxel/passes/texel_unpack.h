// texel_unpack: what the two textures of a texel search hold, into linear memory,
// for people and tests to look at. Texel (x, y) of layer l becomes the four words at
// 16 * ((l * height + y) * width + x), bit for bit, but that a NaN may become another.
// Workgroup size: a multiple of 32.
// Textures: [0] rgba32_float, read; [1] rgba32_uint, read. Neither is read where its address is 0.
// Grid: x, y cover width x height texels as in texel_accumulate; z = layers.
#ifndef PROXEL_PASSES_TEXEL_UNPACK_H
#define PROXEL_PASSES_TEXEL_UNPACK_H
#include "types.h"
PROXEL_PASS_BEGIN
struct TexelUnpackParameters {
  PROXEL_ADDRESS values;      // out: binary32, of texture 0; 16-byte aligned; 0: none
  PROXEL_ADDRESS candidates;  // out: 32-bit, of texture 1; 16-byte aligned; 0: none
  PROXEL_UINT width;          // of the part of each layer, from (0, 0), that is wanted
  PROXEL_UINT height;
};
#ifdef __cplusplus
extern const PassKindOf<TexelUnpackParameters> texel_unpack;
/// @param layers  of each texture that is read
Pass make_texel_unpack(const TexelUnpackParameters& parameters, std::uint32_t layers, Texture& values,
                       Texture& candidates);
#endif
PROXEL_PASS_END
#endif
