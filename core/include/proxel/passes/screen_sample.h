// screen_sample: rows from everywhere in an operand of screen_pack or screen_integers, as an operand of their own, of which every tile
// is a fair sample of all rows whatever their order.
//
// Sample s is a row of stratum s, which is the rows share * s … share * s + share - 1: screen_sampled_row() says which. It is row i of
// tile t of the sample where s = i * tiles + t. There are as many samples as the rows have whole strata. Where there is none
// the operand is 0 and the bias `nothing`.
// The bounds of a tile are the largest of the tiles that its rows are from, which hold for them.
// Workgroup size: 128.
// Grid: x = tiles of the sample.
#ifndef PROXEL_PASSES_SCREEN_SAMPLE_H
#define PROXEL_PASSES_SCREEN_SAMPLE_H
#include "types.h"
PROXEL_PASS_BEGIN
struct ScreenSampleParameters {
  PROXEL_ADDRESS rows;            // the operand, 16-byte aligned, as are all here
  PROXEL_ADDRESS biases;          // 32 bits each, of every row
  PROXEL_ADDRESS bounds;          // four binary32 per tile
  PROXEL_ADDRESS sampled;         // out: the operand of the sample
  PROXEL_ADDRESS sampled_biases;  // out
  PROXEL_ADDRESS sampled_bounds;  // out
  PROXEL_UINT depth_blocks;       // of a tile
  PROXEL_UINT row_count;
  PROXEL_UINT share;              // 1 … 65,536, at most row_count
  PROXEL_UINT nothing;            // the bits of the bias of no row, as of screen_mask
};
// The row that sample s is: of its stratum one that looks like any, so that a period of the rows does no harm.
PROXEL_FUNCTION PROXEL_UINT screen_sampled_row(PROXEL_UINT s, PROXEL_UINT share) {
  return s * share + ((s * 2654435769u) >> 16) % share;
}
#ifdef __cplusplus
extern const PassKindOf<ScreenSampleParameters> screen_sample;
/// The whole sample.
Pass make_screen_sample(const ScreenSampleParameters& parameters);
#endif
PROXEL_PASS_END
#endif
