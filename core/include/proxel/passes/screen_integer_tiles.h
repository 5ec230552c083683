// screen_integer_tiles: screen_tiles of integers (screen_integers): products of 8 bits, summed exactly in 32.
//
// Takes ScreenTilesParameters; constants and grid are those of screen_tiles, with these differences: a block has 128 values
// of a row and depth_steps is ceil(dimensions / 32); biases are 32-bit integers. The score of a row is a whole number, which
// becomes binary32 where it is written; one of at most half of screen_integer_nothing is that of no row, -infinity.
#ifndef PROXEL_PASSES_SCREEN_INTEGER_TILES_H
#define PROXEL_PASSES_SCREEN_INTEGER_TILES_H
#include "screen_integers.h"
#include "screen_tiles.h"
PROXEL_PASS_BEGIN
#ifdef __cplusplus
extern const ScreenTilesKind screen_integer_tiles;
#endif
PROXEL_PASS_END
#endif
