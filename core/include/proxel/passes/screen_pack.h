// screen_pack: rows of a database, or queries, as half-precision operands of
// screen_tiles, with what bounds the error of a score (docs/proofs/screened.md).
//
// Packed operand: tiles of 128 rows; a tile is depth_blocks blocks of 128 rows x
// 64 halves, 16,384 bytes each. In a block the 8 halves 8c … 8c+7 of row r
// lie at byte 128 * r + 16 * (c ^ (r % 8)). Halves past the depth, and rows past
// the count, are +0. Subnormal halves are written as 0, values past +-65504 as
// that.
//
// With x = scale * (value - origin), hi = half(x) and lo = half(x - hi):
// plain operands have depth d and hold hi; split operands have depth 3d and hold
// hi, lo, hi for rows and hi, hi, lo for queries, so that their product misses
// lo * lo only.
//
// Rows with a coordinate that is not finite are packed as zeros with bias
// -infinity, and do not enter the bounds of their tile; nor do rows whose
// squared norm overflows. Any of them that has no NaN coordinate may be the best row
// of an inner product: it raises word 1 of the frame to infinity.
// Workgroup size: 128.
// Constants: queries, 1: queries, 0: rows; split; metric, accumulated: l2sq or ip; sums, of plain queries by l2sq:
// screen_sums_…. (Plain rows always say what sums in half precision err by.)
// Grid: x = tiles of 128 rows; y = of queries screen_query_workgroups, which have eight of the tile's queries each, otherwise 1.
#ifndef PROXEL_PASSES_SCREEN_PACK_H
#define PROXEL_PASSES_SCREEN_PACK_H
#include "types.h"
PROXEL_PASS_BEGIN
// Bytes of one block, halves of one block's row.
PROXEL_CONSTANT screen_block_bytes = 16384u;
PROXEL_CONSTANT screen_block_depth = 64u;
// Workgroups that share the queries of a tile, so that sixteen invocations have a query: few queries are packed sooner.
PROXEL_CONSTANT screen_query_workgroups = 16u;
// Sums of products may be kept in half precision (screen_half_sum_tiles_matrix) up to so many steps of 16 dimensions, of l2sq and
// plain operands or the first halves of split ones. No partial sum overflows where A*Y is less than this.
PROXEL_CONSTANT screen_most_half_sum_steps = 8u;
PROXEL_CONSTANT screen_half_sum_limit = 32768u;
// What products of a query are summed up in: binary32; halves, of plain rows; halves, of a query that is plain and the first halves of
// split rows.
PROXEL_CONSTANT screen_sums_binary32 = 0u;
PROXEL_CONSTANT screen_sums_halves = 1u;
PROXEL_CONSTANT screen_sums_first_halves = 2u;
struct ScreenPackParameters {
  Rows rows;               // what to pack
  PROXEL_ADDRESS frame;    // screen_origin's; rows raise word 1
  PROXEL_ADDRESS packed;   // out: the operand, 16-byte aligned
  // Rows, out: binary32 [128 * tiles], what is added to a row's products: minus
  // half its scaled squared norm for l2sq, 0 for ip, -infinity where the row
  // cannot be screened or does not exist. Queries: not used.
  PROXEL_ADDRESS biases;
  // Rows, out: four binary32 per tile (X, Y, Z, W); queries, out: eight binary32
  // per query (A, B, C, certifiable; half_norm, relative_slack, fixed_slack, 0).
  // A score of a query to a row of a tile errs by at most A*X + B*Y + C*Z + W. Of plain operands C is 0 unless sums are halves.
  // If k rows score at least L truly, no row of the k nearest scores less than
  // L - relative_slack * max(half_norm - L, 0) - fixed_slack truly.
  // certifiable is 0 where the query is not finite or leaves the range of halves, and
  // for ip where a canonical value could overflow. Queries are packed after all rows.
  PROXEL_ADDRESS bounds;
  PROXEL_ADDRESS zeroed;     // out: 32-bit [zeroed_words], which become 0
  PROXEL_UINT dimensions;
  PROXEL_UINT depth_blocks;  // ceil(depth / 64)
  PROXEL_UINT first_tile;    // tile of the grid's first workgroup
  PROXEL_UINT zeroed_words;  // of queries: what passes behind this one count in need not be filled; of rows 0
};
#define PROXEL_SCREEN_PACK_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, queries, QUERIES, 0u) \
  constant(1, PROXEL_UINT, split, SPLIT, 0u) \
  constant(2, PROXEL_METRIC, metric, METRIC, 1u) \
  constant(3, PROXEL_UINT, sums, SUMS, 0u)
PROXEL_CONSTANTS(ScreenPack, PROXEL_SCREEN_PACK_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ScreenPackParameters, ScreenPackConstants> screen_pack;
/// Throws Error(invalid_argument) where sums in half precision do not serve.
/// @param metric  l2sq, l2 or ip
/// @param tiles   of 128 rows, from parameters.first_tile on
/// @param sums    screen_sums_…; those in halves are of plain queries of up to screen_most_half_sum_steps steps, by l2sq or l2
Pass make_screen_pack(const ScreenPackParameters& parameters, Metric metric, bool queries, bool split,
                      std::uint32_t tiles, std::uint32_t sums = screen_sums_binary32);
#endif
PROXEL_PASS_END
#endif
