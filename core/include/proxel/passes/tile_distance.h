// tile_distance: distance keys of a block of queries to a range of rows.
// Constants: width, of the square of threads, each of which computes 8 queries x 8 rows; metric,
// accumulated.
// Grid: x = row tiles of 8*width, y = query tiles of 8*width.
#ifndef PROXEL_PASSES_TILE_DISTANCE_H
#define PROXEL_PASSES_TILE_DISTANCE_H
#include "types.h"
PROXEL_PASS_BEGIN
struct TileDistanceParameters {
  Rows rows;
  PROXEL_ADDRESS queries;      // binary32, [query_count x dimensions], row-major
  PROXEL_ADDRESS keys;         // out: 32-bit distance keys (types.h), [query_count x row_count], row i at keys + 4*i*keys_stride
  PROXEL_UINT dimensions;
  PROXEL_UINT query_count;
  PROXEL_UINT first_row;       // a multiple of tile_rows
  PROXEL_UINT row_count;       // rows first_row … first_row + row_count - 1, all below rows.count
  PROXEL_UINT keys_stride;     // 32-bit words between queries, a multiple of 4
  PROXEL_UINT query_stride;    // elements between queries
};
#define PROXEL_TILE_DISTANCE_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, width, WIDTH, 8u) \
  constant(1, PROXEL_METRIC, metric, METRIC, 0u)
PROXEL_CONSTANTS(TileDistance, PROXEL_TILE_DISTANCE_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<TileDistanceParameters, TileDistanceConstants> tile_distance;
/// @param width  8 or 16: side of the square of threads
Pass make_tile_distance(const TileDistanceParameters& parameters, Metric metric, std::uint32_t width);
#endif
PROXEL_PASS_END
#endif
