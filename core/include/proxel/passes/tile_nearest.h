// tile_nearest: the nearest row of each of many queries, fused with the distances.
// Workgroup (x, y) visits the row tiles x, x + groups, … of 8*width rows for its
// query tile y and writes each query's smallest key among the rows that the
// filter (types.h) allows.
// Constants: width, of the square of threads, as in tile_distance; metric, accumulated; filtered, 1
// where there is a filter.
// Grid: x = groups, y = query tiles of 8*width.
#ifndef PROXEL_PASSES_TILE_NEAREST_H
#define PROXEL_PASSES_TILE_NEAREST_H
#include "types.h"
PROXEL_PASS_BEGIN
struct TileNearestParameters {
  Rows rows;
  PROXEL_ADDRESS queries;   // binary32, [query_count x dimensions], row-major
  PROXEL_ADDRESS lists;     // out: keys, [query_count x groups]; all ones where a workgroup met no row
  PROXEL_ADDRESS filter_bits; // bits of rows, filter_stride words between queries; address 0: none
  PROXEL_UINT dimensions;
  PROXEL_UINT query_count;
  PROXEL_UINT groups;
  PROXEL_UINT query_stride; // elements between queries
  PROXEL_UINT first_index;  // index of row 0
  PROXEL_UINT filter_stride;
};
#define PROXEL_TILE_NEAREST_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, width, WIDTH, 8u) \
  constant(1, PROXEL_METRIC, metric, METRIC, 0u) \
  constant(2, PROXEL_UINT, filtered, FILTERED, 0u)
PROXEL_CONSTANTS(TileNearest, PROXEL_TILE_NEAREST_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<TileNearestParameters, TileNearestConstants> tile_nearest;
Pass make_tile_nearest(const TileNearestParameters& parameters, Metric metric, std::uint32_t width);
#endif
PROXEL_PASS_END
#endif
