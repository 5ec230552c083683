// texel_accumulate: FP1 of Bustos 2006, section 2. Adds t dimensions' steps of
// the metric to texR, which has a layer per query.
// Constants: [0] workgroup size (a multiple of 32: 32 texels wide), [1] metric
// (accumulated), [2] t, 1…16. Textures: [0] coordinates, read; [1] texR,
// rgba32_float, read (unless first) and written.
// Grid: x, y cover the texture; z = queries.
#ifndef PROXEL_PASSES_TEXEL_ACCUMULATE_H
#define PROXEL_PASSES_TEXEL_ACCUMULATE_H
#include "types.h"
PROXEL_PASS_BEGIN
// Width of the rectangle of texels that a workgroup covers.
PROXEL_CONSTANT texel_group_width = 32u;
struct TexelAccumulateParameters {
  PROXEL_ADDRESS queries;       // binary32, [queries x dimensions], row-major
  PROXEL_UINT dimensions;
  PROXEL_UINT first_dimension;  // of the t dimensions
  PROXEL_UINT first_layer;      // layer of the coordinates that holds it
  PROXEL_UINT width;
  PROXEL_UINT height;
  PROXEL_UINT first;            // 1: texR counts as zeros
};
PROXEL_PASS_END
#endif
