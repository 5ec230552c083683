// texel_collect: the one texel that is read back. Takes texel (0, 0) of each
// query's layer of the candidates and keeps the smaller of it and the key that
// earlier blocks left.
// Textures: [0] candidates, rgba32_uint, read.
// Grid: x strides over queries.
#ifndef PROXEL_PASSES_TEXEL_COLLECT_H
#define PROXEL_PASSES_TEXEL_COLLECT_H
#include "types.h"
PROXEL_PASS_BEGIN
struct TexelCollectParameters {
  PROXEL_ADDRESS keys;        // in and out: one key per query, keys_stride keys apart
  PROXEL_UINT keys_stride;
  PROXEL_UINT queries;
  PROXEL_UINT first_block;    // 1: keys is not read
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<TexelCollectParameters> texel_collect;
Pass make_texel_collect(const TexelCollectParameters& parameters, Texture& candidates);
#endif
PROXEL_PASS_END
#endif
