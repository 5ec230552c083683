// screen_mask: the biases of screen_pack with -infinity for the rows that a filter
// leaves out, so that screen_tiles never finds them.
// Grid: x strides over the rows.
#ifndef PROXEL_PASSES_SCREEN_MASK_H
#define PROXEL_PASSES_SCREEN_MASK_H
#include "types.h"
PROXEL_PASS_BEGIN
struct ScreenMaskParameters {
  PROXEL_ADDRESS biases;       // binary32 [row_count]
  PROXEL_ADDRESS filter_bits;  // allow-bitset, ceil(row_count / 32) 32-bit words
  PROXEL_ADDRESS masked;       // out: binary32 [ceil(row_count / 128) * 128], -infinity past the rows
  PROXEL_UINT row_count;
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<ScreenMaskParameters> screen_mask;
Pass make_screen_mask(const ScreenMaskParameters& parameters);
#endif
PROXEL_PASS_END
#endif
