// tile_nearest: the nearest row of each of many queries, fused with the distances.
// Workgroup (x, y) visits the row tiles x, x + groups, … of 8*width rows for its
// query tile y and writes each query's smallest key among the rows that the
// filter (types.h) allows.
// Constants: [0] workgroup width, as in tile_distance; [1] metric (accumulated);
// [2] 1 where there is a filter.
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
PROXEL_PASS_END
#endif
