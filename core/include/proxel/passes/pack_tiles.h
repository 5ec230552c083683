// pack_tiles: copies row-major values into the tiles of Rows, as binary32.
// Constants: [0] workgroup size, [1] the source's elements (types.h); where they
// are narrower than a word, words that hold some of them are read whole.
// Grid: x strides over (tile, dimension chunk) pairs.
#ifndef PROXEL_PASSES_PACK_TILES_H
#define PROXEL_PASSES_PACK_TILES_H
#include "types.h"
PROXEL_PASS_BEGIN
struct PackTilesParameters {
  Rows rows;               // destination; tiles layout (dimension_stride = tile_rows, row_stride = 1)
  PROXEL_ADDRESS source;   // [source_rows x dimensions], contiguous, row-major; a multiple of 4
  PROXEL_UINT dimensions;
  PROXEL_UINT first_row;   // row of the destination that source row 0 becomes; a multiple of tile_rows
  PROXEL_UINT source_rows; // the rest of the last tile is filled with +0
  PROXEL_UINT reserved;
};
PROXEL_PASS_END
#endif
