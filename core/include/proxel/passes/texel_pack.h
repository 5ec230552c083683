// texel_pack: row-major values into textures, one coordinate of four vectors
// per texel (Bustos 2006, section 2, figure 1 left).
// Row r of a block is channel r % 4 of texel r / 4; texel i is at
// (i % width, i / width); layer j is dimension first_dimension + j.
// What follows the last source row, up to the end of its line of texels, is +0.
// Textures: [0] coordinates, rgba32_float, written.
// Grid: x strides over texels, y = layers.
#ifndef PROXEL_PASSES_TEXEL_PACK_H
#define PROXEL_PASSES_TEXEL_PACK_H
#include "types.h"
PROXEL_PASS_BEGIN
struct TexelPackParameters {
  PROXEL_ADDRESS source;        // binary32, [source_rows x dimensions], row-major
  PROXEL_UINT dimensions;       // of the source
  PROXEL_UINT first_dimension;
  PROXEL_UINT first_row;        // row of the block that source row 0 becomes; a multiple of 4
  PROXEL_UINT source_rows;
  PROXEL_UINT width;            // texture width and height, texels
  PROXEL_UINT height;
  PROXEL_UINT layers;
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<TexelPackParameters> texel_pack;
Pass make_texel_pack(const TexelPackParameters& parameters, Texture& coordinates);
#endif
PROXEL_PASS_END
#endif
