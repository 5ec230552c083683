// texel_accumulate: FP1 of Bustos 2006, section 2. Adds t dimensions' steps of
// the metric to texR, which has a layer per query.
// Workgroup size: a multiple of 32: 32 texels wide.
// Constants: metric, accumulated; dimensions, t, 1…16.
// Textures: [0] coordinates, read; [1] texR, rgba32_float, read (unless first) and written.
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
#define PROXEL_TEXEL_ACCUMULATE_CONSTANTS(constant) \
  constant(0, PROXEL_METRIC, metric, METRIC, 0u) \
  constant(1, PROXEL_UINT, dimensions, DIMENSIONS_PER_PASS, 8u)
PROXEL_CONSTANTS(TexelAccumulate, PROXEL_TEXEL_ACCUMULATE_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<TexelAccumulateParameters, TexelAccumulateConstants> texel_accumulate;
/// @param dimension_count  t, 1…16
Pass make_texel_accumulate(const TexelAccumulateParameters& parameters, Metric metric, std::uint32_t dimension_count,
                           std::uint32_t query_count, Texture& coordinates, Texture& accumulated_distances);
#endif
PROXEL_PASS_END
#endif
