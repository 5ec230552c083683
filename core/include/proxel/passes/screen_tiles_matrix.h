// screen_tiles_matrix: screen_tiles on matrix units, in half precision with binary32 accumulation, for 128
// queries by a workgroup and operands of up to screen_most_shallow_steps steps. Takes ScreenTilesParameters; constants and
// grid are those of screen_tiles. The host has none; what it finds is bounded as the scalar one's.
#ifndef PROXEL_PASSES_SCREEN_TILES_MATRIX_H
#define PROXEL_PASSES_SCREEN_TILES_MATRIX_H
#include "screen_tiles.h"
PROXEL_PASS_BEGIN
#ifdef __cplusplus
extern const ScreenTilesKind screen_tiles_matrix;
#endif
PROXEL_PASS_END
#endif
