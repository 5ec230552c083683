// screen_code_tiles: scores of a few queries to tiles of rows, by sums over 8-bit codes (screen_codes), fused with what is
// done with them, as screen_tiles does it for many.
//
// score(query, row) = factor(query) * sum + bias(row), the sum over all dimensions of products of codes for l2sq and ip,
// of their differences' magnitudes for l1, and the largest of those for linf; it is exact. Larger scores are nearer. The
// error is bounded by the bounds of screen_codes as in screen_tiles.
//
// Sampling and collecting are those of screen_tiles, but for the lists: all workgroups of a query append to one.
// Constants: collects, purpose: 0 sampling, 1 collecting; metric, accumulated; together, queries of a workgroup: 1 or 4.
// Grid: x = workgroups that share the tiles, y = ceil(queries / together).
#ifndef PROXEL_PASSES_SCREEN_CODE_TILES_H
#define PROXEL_PASSES_SCREEN_CODE_TILES_H
#include "screen_tiles.h"
PROXEL_PASS_BEGIN
struct ScreenCodeTilesParameters {
  PROXEL_ADDRESS rows;          // codes of rows
  PROXEL_ADDRESS biases;        // binary32 per row, those of query 0
  PROXEL_ADDRESS row_bounds;    // four binary32 per tile
  PROXEL_ADDRESS queries;       // codes of queries
  PROXEL_ADDRESS query_bounds;  // eight binary32 per query
  PROXEL_ADDRESS thresholds;    // collecting: binary32 per query
  // Sampling, out: as in screen_tiles. Collecting, out: (score as binary32 bits, row index), 8 bytes each,
  // [queries x capacity].
  PROXEL_ADDRESS found;
  PROXEL_ADDRESS counts;        // collecting, in and out: 32-bit [queries], added to
  PROXEL_ADDRESS selected;      // as in screen_tiles
  PROXEL_UINT words;            // of a row
  PROXEL_UINT query_count;
  PROXEL_UINT first_tile;
  PROXEL_UINT tile_step;
  PROXEL_UINT tile_count;
  PROXEL_UINT groups;           // sampling: tile_count * groups_per_tile
  PROXEL_UINT capacity;         // collecting: entries of one list
  PROXEL_UINT first_index;      // index of row 0
  PROXEL_UINT first_selected;   // as in screen_tiles
  PROXEL_UINT groups_per_tile;  // sampling: 4, 16 or 64
  PROXEL_UINT bias_stride;      // tiles between the biases of queries; 0: shared
  PROXEL_UINT reserved;
};
#define PROXEL_SCREEN_CODE_TILES_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, collects, COLLECTS, 0u) \
  constant(1, PROXEL_METRIC, metric, METRIC, 1u) \
  constant(2, PROXEL_UINT, together, TOGETHER, 1u)
PROXEL_CONSTANTS(ScreenCodeTiles, PROXEL_SCREEN_CODE_TILES_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ScreenCodeTilesParameters, ScreenCodeTilesConstants> screen_code_tiles;
/// @param workgroups  that share the tiles, at least 1
Pass make_screen_code_tiles(const ScreenCodeTilesParameters& parameters, Metric metric, ScreenPurpose purpose,
                            std::uint32_t workgroups);
#endif
PROXEL_PASS_END
#endif
