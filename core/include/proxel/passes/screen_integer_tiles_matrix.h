// screen_integer_tiles_matrix: screen_integer_tiles on matrix units, for 128 queries by a workgroup and
// operands of up to screen_most_shallow_steps steps. Parameters, constants and grid are the same. The host has none.
#ifndef PROXEL_PASSES_SCREEN_INTEGER_TILES_MATRIX_H
#define PROXEL_PASSES_SCREEN_INTEGER_TILES_MATRIX_H
#include "screen_integer_tiles.h"
PROXEL_PASS_BEGIN
#ifdef __cplusplus
extern const ScreenTilesKind screen_integer_tiles_matrix;
#endif
PROXEL_PASS_END
#endif
