// screen_tiles: scores of all queries to tiles of rows, by half-precision
// products with binary32 accumulation, fused with what is done with them.
//
// score(query, row) = sum over the depth of query half * row half + bias(row);
// larger is nearer. Its error is bounded by the bounds of screen_pack:
// error(query, tile) = A*X + B*Y + C*Z + W.
//
// Sampling (purpose 0): the rows of every sampled tile are divided into
// groups_per_tile groups of equal size, in whatever way suits the kernel; for each
// group the largest score of its rows minus the error of the tile is written.
// Each is a lower bound of the true score of a row of its own.
// Collecting (purpose 1): every row whose score is at least
// threshold(query) - error(query, tile) is appended to the query's list of the
// workgroup, in any order. The list's count goes on counting where the list is
// full, so that an overflow is seen.
//
// Workgroup (x, y) takes its share, x of splits, of the tiles first_tile +
// tile_step * i, i < tile_count, for the queries Qy … Qy + Q - 1; every share
// has tiles from everywhere. Of queries that are not there nothing is written.
//
// Filtered, every query has a filter of its own: a row that it leaves out scores -infinity
// for this query, so that neither a lower bound nor a list is of it.
// Constants: collects, purpose: 0 sampling, 1 collecting; groups_per_tile, sampling: 4, 16 or 64; filtered; steps, products of a
// pair of operands that the kernel is made for, at least depth_steps and at most 4 * depth_blocks: screen_tiles_matrix,
// screen_tiles_few_matrix, screen_half_sum_tiles_matrix and those of integers; others take any depth, and have 0.
// Grid: x = splits, y = ceil(queries / Q).
#ifndef PROXEL_PASSES_SCREEN_TILES_H
#define PROXEL_PASSES_SCREEN_TILES_H
#include "types.h"
PROXEL_PASS_BEGIN
// Matrix units: up to so many steps queries stay in registers, and so many invocations have up to 32 of them then.
PROXEL_CONSTANT screen_most_shallow_steps = 16u;
PROXEL_CONSTANT screen_few_shallow_workgroup = 64u;
struct ScreenTilesParameters {
  PROXEL_ADDRESS rows;           // packed operand (screen_pack)
  PROXEL_ADDRESS biases;         // binary32 per row
  PROXEL_ADDRESS row_bounds;     // four binary32 per tile
  PROXEL_ADDRESS queries;        // packed operand
  PROXEL_ADDRESS query_bounds;   // eight binary32 per query
  PROXEL_ADDRESS thresholds;     // collecting: binary32 per query
  // Sampling, out: binary32 [queries x groups], group i * groups_per_tile + g of tile i.
  // Collecting, out: (score as binary32 bits, row index), 8 bytes each,
  // [queries x splits x capacity].
  PROXEL_ADDRESS found;
  PROXEL_ADDRESS counts;         // collecting, in and out: 32-bit [queries x splits], added to
  // As in screen_threshold: there are no more queries than selected[0] - first_selected; 0: all.
  PROXEL_ADDRESS selected;
  // Filtered: allow-bitsets, [queries x ceil(row_count / 32)] 32-bit words; bits are numbers of rows, not their indices.
  PROXEL_ADDRESS filter_bits;
  PROXEL_UINT depth_blocks;
  PROXEL_UINT depth_steps;       // ceil(depth / 16): products past it are zero
  PROXEL_UINT row_count;
  PROXEL_UINT query_count;
  PROXEL_UINT first_tile;
  PROXEL_UINT tile_step;
  PROXEL_UINT tile_count;
  PROXEL_UINT splits;
  PROXEL_UINT groups;            // sampling: tile_count * groups_per_tile
  PROXEL_UINT capacity;          // collecting: entries of one list
  PROXEL_UINT first_index;       // index of row 0
  PROXEL_UINT first_selected;    // as in screen_threshold
};
#define PROXEL_SCREEN_TILES_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, collects, COLLECTS, 0u) \
  constant(1, PROXEL_UINT, groups_per_tile, GROUPS_PER_TILE, 16u) \
  constant(2, PROXEL_BOOL, filtered, FILTERED, false) \
  constant(3, PROXEL_UINT, steps, STEPS, 0u)
PROXEL_CONSTANTS(ScreenTiles, PROXEL_SCREEN_TILES_CONSTANTS)
#ifdef __cplusplus
using ScreenTilesKind = PassKindOf<ScreenTilesParameters, ScreenTilesConstants>;
extern const ScreenTilesKind screen_tiles;
/// What is multiplied: halves (screen_pack) or integers (screen_integers, screen_integer_tiles).
enum class ScreenValues : std::uint32_t { halves = 0, integers = 1 };
/// What screen_tiles multiplies with.
enum class ScreenArithmetic : std::uint32_t {
  scalar = 0,  ///< binary32 arithmetic on the values, on any device
  matrix = 1,  ///< matrix units: half precision with binary32 accumulation, or 8 bits with 32
  /// Matrix units: half precision, sums too; halves of up to screen_most_half_sum_steps steps, packed for that (screen_pack).
  half_sums = 2,
};
enum class ScreenPurpose : std::uint32_t { sample = 0, collect = 1 };
/// Filtered where there are filter_bits.
/// Throws Error(invalid_argument) where an arithmetic does not serve the values or their depth.
/// @param groups_per_tile    4, 16 or 64; sampling only
/// @param workgroup_queries  128; on matrix units also 256, and 32 where there are no more queries
Pass make_screen_tiles(const ScreenTilesParameters& parameters, ScreenValues values, ScreenArithmetic arithmetic,
                       ScreenPurpose purpose, std::uint32_t groups_per_tile, std::uint32_t workgroup_queries);
#endif
PROXEL_PASS_END
#endif
