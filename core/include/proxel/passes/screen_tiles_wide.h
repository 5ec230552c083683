// screen_tiles_wide: screen_tiles_matrix for 256 queries by a workgroup. Takes ScreenTilesParameters;
// constants and grid are those of screen_tiles. The host has none.
#ifndef PROXEL_PASSES_SCREEN_TILES_WIDE_H
#define PROXEL_PASSES_SCREEN_TILES_WIDE_H
#include "screen_tiles.h"
PROXEL_PASS_BEGIN
#ifdef __cplusplus
extern const ScreenTilesKind screen_tiles_wide;
#endif
PROXEL_PASS_END
#endif
