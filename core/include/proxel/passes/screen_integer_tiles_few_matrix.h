// screen_integer_tiles_few_matrix: screen_integer_tiles_matrix for up to 32 queries, all of them by every workgroup.
// Parameters, constants and grid are the same, the workgroup screen_few_shallow_workgroup. The host has none.
#ifndef PROXEL_PASSES_SCREEN_INTEGER_TILES_FEW_MATRIX_H
#define PROXEL_PASSES_SCREEN_INTEGER_TILES_FEW_MATRIX_H
#include "screen_integer_tiles.h"
PROXEL_PASS_BEGIN
#ifdef __cplusplus
extern const ScreenTilesKind screen_integer_tiles_few_matrix;
#endif
PROXEL_PASS_END
#endif
