// screen_codes: rows of a database, or queries, as 8-bit codes for screen_code_tiles, with what bounds the error of a
// score (docs/proofs/screened.md).
//
// With x = scale * (value - origin) in the frame of screen_origin, a code c of -127 … 127 stands for c * step: of rows,
// and of queries by l1 and linf, the step of the frame, by linf screen_linf_quarters quarters of it; of queries by products
// a 127th of the largest |x| of each, whose coordinates are not shifted for ip. Codes past 127 are written as 127, which only costs speed. By l1 and linf a code
// is stored with 128 added.
//
// Four codes share a 32-bit word, the first in its lowest byte; codes past the dimensions are 0. Of rows, word w of row r
// of a tile of 128 lies at 32-bit word (tile * words + w) * 128 + r; of queries at query * words + w.
//
// Rows with a coordinate that is not finite have bias -infinity and do not enter the bounds of their tile; nor do rows
// whose norm overflows, by products the squared one. As in screen_pack they raise word 1 of the frame where they may be the best by ip.
// A query is not certifiable whose codes have a norm of 2^62 or more by products, where scores may overflow, or whose norm
// is 2^126 or more by l1 and linf, where rows that are not screened might be near.
// Workgroup size: 128.
// Constants: queries, 1: queries, 0: rows; metric, accumulated.
// Grid: as of screen_pack.
#ifndef PROXEL_PASSES_SCREEN_CODES_H
#define PROXEL_PASSES_SCREEN_CODES_H
#include "types.h"
PROXEL_PASS_BEGIN
// The largest code.
PROXEL_CONSTANT screen_most_code = 127u;
// A code past the largest makes the error of its tile by linf as large as what it misses, so that all of the tile is near. A wider step
// leaves hardly any: of 128,000,000 normal values where 32,768 say how far they go.
PROXEL_CONSTANT screen_linf_quarters = 5u;
struct ScreenCodesParameters {
  Rows rows;               // what to encode
  PROXEL_ADDRESS frame;    // screen_origin's; rows raise word 1
  PROXEL_ADDRESS codes;    // out: 32-bit words, 16-byte aligned
  // Rows, out: binary32 [128 * tiles], what is added to a row's score: minus half its scaled squared norm for l2sq,
  // otherwise 0; -infinity where the row cannot be screened or does not exist. Queries: not used.
  PROXEL_ADDRESS biases;
  // As of screen_pack, Z being 0; a query's C is what a sum of codes is multiplied by to be its score without the bias.
  PROXEL_ADDRESS bounds;
  PROXEL_ADDRESS zeroed;   // as of screen_pack
  PROXEL_UINT dimensions;
  PROXEL_UINT words;       // of a row: ceil(dimensions / 4)
  PROXEL_UINT first_tile;  // tile of the grid's first workgroup
  PROXEL_UINT zeroed_words;
};
#define PROXEL_SCREEN_CODES_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, queries, QUERIES, 0u) \
  constant(1, PROXEL_METRIC, metric, METRIC, 1u)
PROXEL_CONSTANTS(ScreenCodes, PROXEL_SCREEN_CODES_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ScreenCodesParameters, ScreenCodesConstants> screen_codes;
/// Fills in the words. @param metric  any  @param tiles  of 128 rows, from parameters.first_tile on
Pass make_screen_codes(ScreenCodesParameters parameters, Metric metric, bool queries, std::uint32_t tiles);
#endif
PROXEL_PASS_END
#endif
