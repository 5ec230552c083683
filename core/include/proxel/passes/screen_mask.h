// screen_mask: the biases of screen_pack, or of screen_integers, with the bias of no row for those that a filter
// leaves out, so that screen_tiles never finds them; for each of some filters, of which screen_code_tiles
// takes one per query.
// Grid: x strides over the rows, y = filters.
#ifndef PROXEL_PASSES_SCREEN_MASK_H
#define PROXEL_PASSES_SCREEN_MASK_H
#include "types.h"
PROXEL_PASS_BEGIN
// The bits of -infinity.
PROXEL_CONSTANT screen_nothing = 0xFF800000u;
struct ScreenMaskParameters {
  PROXEL_ADDRESS biases;       // 32 bits each [row_count]
  PROXEL_ADDRESS filter_bits;  // allow-bitsets, [filters x ceil(row_count / 32)] 32-bit words
  PROXEL_ADDRESS masked;       // out: the same [filters x ceil(row_count / 128) * 128], with `nothing` past the rows
  PROXEL_UINT row_count;
  PROXEL_UINT nothing;         // the bits of the bias of no row: of -infinity, or screen_integer_nothing
};
#ifdef __cplusplus
extern const PassKindOf<ScreenMaskParameters> screen_mask;
/// @param filters  1 … 4
Pass make_screen_mask(const ScreenMaskParameters& parameters, std::uint32_t filters = 1);
#endif
PROXEL_PASS_END
#endif
