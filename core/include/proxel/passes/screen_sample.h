// screen_sample: rows from everywhere in an operand of screen_pack or screen_integers, as an operand of their own, of which every tile
// is a fair sample of all rows whatever their order.
//
// Sample s is a row of stratum s, which is the rows share * s … share * s + share - 1: screen_sampled_row() says which.
// There are as many samples as the rows have whole strata, and screen_sample_number() says which is where. Where there is none
// the operand is 0 and the bias `nothing`.
// The bounds of a tile are the smallest of the tiles that its rows are from, so that a few rows that are unlike the others
// do not spoil those of all. They need not hold: what a sample says is an estimate.
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
// Looks like chance: 16 bits of a multiple of the golden ratio.
PROXEL_FUNCTION PROXEL_UINT screen_scattered(PROXEL_UINT value) { return (value * 2654435769u) >> 16; }
// The row that sample s is, one of its stratum, and the sample that is row i of a tile, one of each round of as many strata as there are
// tiles: both vary, so that neither a period of the rows nor one of the tiles that are taken does harm.
PROXEL_FUNCTION PROXEL_UINT screen_sampled_row(PROXEL_UINT s, PROXEL_UINT share) {
  return s * share + screen_scattered(s) % share;
}
PROXEL_FUNCTION PROXEL_UINT screen_sample_number(PROXEL_UINT i, PROXEL_UINT tile, PROXEL_UINT tiles) {
  return i * tiles + (tile + screen_scattered(i) % tiles) % tiles;
}
#ifdef __cplusplus
extern const PassKindOf<ScreenSampleParameters> screen_sample;
/// The whole sample.
Pass make_screen_sample(const ScreenSampleParameters& parameters);
#endif
PROXEL_PASS_END
#endif
