// screen_integer_tiles_wide: screen_integer_tiles on matrix units, for 256 queries by a workgroup. Parameters, constants
// and grid are the same. The host has none.
#ifndef PROXEL_PASSES_SCREEN_INTEGER_TILES_WIDE_H
#define PROXEL_PASSES_SCREEN_INTEGER_TILES_WIDE_H
#include "screen_integer_tiles.h"
PROXEL_PASS_BEGIN
#ifdef __cplusplus
extern const ScreenTilesKind screen_integer_tiles_wide;
#endif
PROXEL_PASS_END
#endif
