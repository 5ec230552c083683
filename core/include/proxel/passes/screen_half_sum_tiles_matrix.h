// screen_half_sum_tiles_matrix: screen_tiles_matrix of operands of up to screen_most_half_sum_steps steps, plain and of l2sq, with
// sums of products in half precision, which screen_pack's sums allow for. Takes ScreenTilesParameters; constants and grid are
// those of screen_tiles. A score is such a sum with the bias added in binary32. Rows that score less than is asked
// may be collected, by what biases and thresholds lose in half precision: both are rounded so that no row is missed. Where less is
// asked than halves are, and in tiles in which sums might overflow, the list counts as full, which leaves the query undecided: what
// reads the list does not know of such errors. The host has none.
#ifndef PROXEL_PASSES_SCREEN_HALF_SUM_TILES_MATRIX_H
#define PROXEL_PASSES_SCREEN_HALF_SUM_TILES_MATRIX_H
#include "screen_tiles.h"
PROXEL_PASS_BEGIN
#ifdef __cplusplus
extern const ScreenTilesKind screen_half_sum_tiles_matrix;
#endif
PROXEL_PASS_END
#endif
