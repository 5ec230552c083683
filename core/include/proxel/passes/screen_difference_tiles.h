// screen_difference_tiles: screen_tiles of 8-bit codes (screen_codes) by l1 and linf, of many queries. Matrix units do not serve
// differences, but four codes are subtracted at a time, or two, which takes half or a quarter of what coordinates take.
//
// score(query, row) = factor(query) * sum + bias(row), as of screen_code_tiles: the sum of the magnitudes of differences of codes,
// or the largest of them; it is exact. The error is bounded by the bounds of screen_codes as in screen_tiles.
//
// Sampling and collecting are those of screen_tiles. Takes ScreenTilesParameters: the packed operands are codes, depth_steps the words
// of a row, at most screen_most_difference_words; depth_blocks is not used.
// Constants: collects, purpose: 0 sampling, 1 collecting; groups_per_tile, sampling: 4, 16 or 64; filtered; metric, l1 or linf.
// Workgroup size: 256.
// Grid: x = splits, y = ceil(queries / 128).
#ifndef PROXEL_PASSES_SCREEN_DIFFERENCE_TILES_H
#define PROXEL_PASSES_SCREEN_DIFFERENCE_TILES_H
#include "screen_tiles.h"
PROXEL_PASS_BEGIN
// Sums of 254 for each coordinate of as many stay below 2^23.
PROXEL_CONSTANT screen_most_difference_words = 8192u;
#define PROXEL_SCREEN_DIFFERENCE_TILES_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, collects, COLLECTS, 0u) \
  constant(1, PROXEL_UINT, groups_per_tile, GROUPS_PER_TILE, 16u) \
  constant(2, PROXEL_BOOL, filtered, FILTERED, false) \
  constant(3, PROXEL_METRIC, metric, METRIC, 0u)
PROXEL_CONSTANTS(ScreenDifferenceTiles, PROXEL_SCREEN_DIFFERENCE_TILES_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ScreenTilesParameters, ScreenDifferenceTilesConstants> screen_difference_tiles;
/// Filtered where there are filter_bits.
/// Throws Error(invalid_argument) for other metrics, and for more words.
/// @param metric  l1 or linf
Pass make_screen_difference_tiles(const ScreenTilesParameters& parameters, Metric metric, ScreenPurpose purpose,
                                  std::uint32_t groups_per_tile);
#endif
PROXEL_PASS_END
#endif
