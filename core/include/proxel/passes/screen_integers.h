// screen_integers: rows of a database, or queries, whose values are integers of a byte, as operands of screen_integer_tiles
// (docs/proofs/screened.md, "Integers").
//
// Values lie in origin - 128 … origin + 127, with an origin of 0 or 128; what is packed is value - origin in 8 bits. The
// operand is screen_pack's with bytes for halves: tiles of 128 rows; a tile is depth_blocks blocks of 128 rows x 128
// values, 16,384 bytes each. In a block the 16 values 16c … 16c+15 of row r lie at byte 128 * r + 16 * (c ^ (r % 8)).
// Values past the dimensions, and rows past the count, are 0.
//
// A row that has another value is packed as zeros, has bias screen_integer_nothing, and is counted: what is searched then is
// no database of integers. Such a query is packed as zeros and not certifiable.
// Workgroup size: 128.
// Constants: queries, 1: queries, 0: rows; metric, accumulated: l2sq or ip.
// Grid: as of screen_pack.
#ifndef PROXEL_PASSES_SCREEN_INTEGERS_H
#define PROXEL_PASSES_SCREEN_INTEGERS_H
#include "types.h"
PROXEL_PASS_BEGIN
// Values of a row of one block.
PROXEL_CONSTANT screen_block_integers = 128u;
// Up to so many dimensions no sum leaves 2^26, and products alone stay exact in binary32.
PROXEL_CONSTANT screen_most_integers = 1024u;
// Up to so many canonical distances are exact, d * 255^2 < 2^24; and scores, of magnitudes up to d * 2^15, in binary32.
PROXEL_CONSTANT screen_exact_distances = 258u;
PROXEL_CONSTANT screen_exact_scores = 512u;
// As 32 bits of two's complement: the bias of what is not there, -2^29. Scores below half of it are of such rows.
PROXEL_CONSTANT screen_integer_nothing = 0xE0000000u;
struct ScreenIntegersParameters {
  Rows rows;                // what to pack
  PROXEL_ADDRESS packed;    // out: the operand, 16-byte aligned
  // Rows, out: 32-bit integers [128 * tiles], what is added to a row's products: with x = value - origin, for l2sq minus
  // half the sum of x * x, rounded down; for ip origin times the sum of x. Queries: not used.
  PROXEL_ADDRESS biases;
  PROXEL_ADDRESS bounds;    // out: as of screen_pack
  PROXEL_ADDRESS others;    // rows, in and out: 32-bit: rows that have another value (added to). Queries: not used.
  PROXEL_ADDRESS zeroed;    // as of screen_pack
  PROXEL_UINT dimensions;   // 1 … screen_most_integers
  PROXEL_UINT depth_blocks; // ceil(dimensions / 128)
  PROXEL_UINT first_tile;   // tile of the grid's first workgroup
  PROXEL_UINT origin;       // 0 or 128
  PROXEL_UINT zeroed_words;
  PROXEL_UINT reserved;
};
#define PROXEL_SCREEN_INTEGERS_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, queries, QUERIES, 0u) \
  constant(1, PROXEL_METRIC, metric, METRIC, 1u)
PROXEL_CONSTANTS(ScreenIntegers, PROXEL_SCREEN_INTEGERS_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ScreenIntegersParameters, ScreenIntegersConstants> screen_integers;
/// Fills in depth_blocks.
/// @param metric  l2sq, l2 or ip  @param tiles  of 128 rows, from parameters.first_tile on
Pass make_screen_integers(ScreenIntegersParameters parameters, Metric metric, bool queries, std::uint32_t tiles);
/// Blocks of a tile.
constexpr std::uint32_t integer_blocks(std::uint32_t dimensions) {
  return (dimensions + screen_block_integers - 1) / screen_block_integers;
}
#endif
PROXEL_PASS_END
#endif
