// pack_tiles: copies row-major values into the tiles of Rows, as binary32.
// Constants: element, the source's (types.h); of those narrower than a word, words that hold some
// are read whole.
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
#define PROXEL_PACK_TILES_CONSTANTS(constant) constant(0, PROXEL_UINT, element, ELEMENT, 0u)
PROXEL_CONSTANTS(PackTiles, PROXEL_PACK_TILES_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<PackTilesParameters, PackTilesConstants> pack_tiles;
/// @param element  element_float32 … element_uint8: of the source
Pass make_pack_tiles(const PackTilesParameters& parameters, std::uint32_t element = element_float32);
#endif
PROXEL_PASS_END
#endif
