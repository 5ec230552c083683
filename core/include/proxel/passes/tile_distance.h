// tile_distance: distance keys of a block of queries to a range of rows.
// Constants: [0] workgroup width: threads form a square of width x width, each
// computing 8 queries x 8 rows; [1] metric (accumulated).
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
PROXEL_PASS_END
#endif
