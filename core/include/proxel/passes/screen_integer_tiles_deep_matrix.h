// screen_integer_tiles_deep_matrix: screen_integer_tiles_matrix for operands of any depth, which come in slices.
// Takes ScreenTilesParameters; constants and grid are those of screen_tiles. The host has none.
#ifndef PROXEL_PASSES_SCREEN_INTEGER_TILES_DEEP_MATRIX_H
#define PROXEL_PASSES_SCREEN_INTEGER_TILES_DEEP_MATRIX_H
#include "screen_integer_tiles.h"
PROXEL_PASS_BEGIN
#ifdef __cplusplus
extern const ScreenTilesKind screen_integer_tiles_deep_matrix;
#endif
PROXEL_PASS_END
#endif
