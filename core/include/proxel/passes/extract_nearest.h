// extract_nearest: what insertion_sort left, as results (steps 6 to 8 of Garcia
// 2010, section 2.3): adds the query's norm to its survivors, takes the square
// root or the complement to 1, and writes distances and indices query by query.
// Nothing is clamped: where cancellation made a square negative its root is NaN
// (0x7FC00000), as the paper's arithmetic has it.
// What a selection chose of distances becomes results as well; those may lie at its place.
// Grid: x strides over the results.
#ifndef PROXEL_PASSES_EXTRACT_NEAREST_H
#define PROXEL_PASSES_EXTRACT_NEAREST_H
#include "types.h"
PROXEL_PASS_BEGIN
struct ExtractNearestParameters {
  PROXEL_ADDRESS nearest_keys;     // 32-bit distance keys, rank r of query i at nearest_keys + 4 * (r * rank_pitch + i * query_pitch)
  PROXEL_ADDRESS nearest_indices;  // the same for indices; address 0: none were kept, and all ones are written
  PROXEL_ADDRESS norms;            // binary32, [query_count], added to the distances; address 0: none
  PROXEL_ADDRESS indices;          // out: 32-bit, [query_count x k]
  PROXEL_ADDRESS distances;        // out: binary32, [query_count x k]
  PROXEL_UINT query_count;
  PROXEL_UINT k;
  PROXEL_UINT found;               // ranks that hold something, at most k; the rest is padding
  PROXEL_UINT rank_pitch;          // 32-bit words
  PROXEL_UINT largest_first;       // 1 for ip
  PROXEL_UINT finish;              // what is done last (types.h)
  PROXEL_UINT query_pitch;         // 32-bit words
  PROXEL_UINT values;              // 1: nearest_keys holds binary32 values, and where the index is all ones there is no row
};
#ifdef __cplusplus
extern const PassKindOf<ExtractNearestParameters> extract_nearest;
Pass make_extract_nearest(const ExtractNearestParameters& parameters);
#endif
PROXEL_PASS_END
#endif
