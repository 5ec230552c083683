// tile_nearest: the nearest row of each of many queries, fused with the distances.
// Workgroup (x, y) visits the row tiles x, x + groups, … of 8*width rows for its
// query tile y and writes each query's smallest key.
// Constants: [0] workgroup width, as in tile_distance; [1] metric (accumulated).
// Grid: x = groups, y = query tiles of 8*width.
#ifndef PROXEL_PASSES_TILE_NEAREST_H
#define PROXEL_PASSES_TILE_NEAREST_H
#include "types.h"
PROXEL_PASS_BEGIN
struct TileNearestParameters {
  Rows rows;
  PROXEL_ADDRESS queries;   // binary32, [query_count x dimensions], row-major
  PROXEL_ADDRESS lists;     // out: keys, [query_count x groups]; all ones where a workgroup met no row
  PROXEL_UINT dimensions;
  PROXEL_UINT query_count;
  PROXEL_UINT groups;
  PROXEL_UINT query_stride; // elements between queries
  PROXEL_UINT first_index;  // index of row 0
  PROXEL_UINT reserved;
};
PROXEL_PASS_END
#endif
