// texel_minimum: FP2 of Bustos 2006, section 2. The smallest key of a texel's
// four vectors: distance key to red, index to green (an integer from end to
// end); blue and alpha are 0. Channels past the last row, keys at or below
// `after` and rows that the filter (types.h) leaves out count as no row.
// Workgroup size: a multiple of 32.
// Constants: largest_first; continues.
// Textures: [0] texR, rgba32_float, read; [1] candidates, rgba32_uint, written.
// Grid: x, y cover the texture as in texel_accumulate; z = queries.
#ifndef PROXEL_PASSES_TEXEL_MINIMUM_H
#define PROXEL_PASSES_TEXEL_MINIMUM_H
#include "types.h"
PROXEL_PASS_BEGIN
struct TexelMinimumParameters {
  PROXEL_ADDRESS after;        // one key per query, after_stride keys apart; address 0: none
  PROXEL_ADDRESS filter_bits; // bits of rows, filter_stride words between queries; address 0: none
  PROXEL_UINT after_stride;
  PROXEL_UINT width;
  PROXEL_UINT height;
  PROXEL_UINT first_index;     // index of the block's row 0
  PROXEL_UINT rows;            // rows in the block
  PROXEL_UINT filter_stride;
};
#define PROXEL_TEXEL_MINIMUM_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, largest_first, LARGEST_FIRST, 0u) \
  constant(1, PROXEL_UINT, continues, CONTINUES, 0u)
PROXEL_CONSTANTS(TexelMinimum, PROXEL_TEXEL_MINIMUM_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<TexelMinimumParameters, TexelMinimumConstants> texel_minimum;
Pass make_texel_minimum(const TexelMinimumParameters& parameters, Metric metric, std::uint32_t query_count,
                        Texture& accumulated_distances, Texture& candidates);
#endif
PROXEL_PASS_END
#endif
