// Packed operands: see proxel/passes/screen_pack.h.
#ifndef PROXEL_SCREEN_OPERAND_GLSL
#define PROXEL_SCREEN_OPERAND_GLSL
#include "address.glsl"
#include "proxel/passes/screen_pack.h"

// A tile's first block.
uvec2 operand_tile(uvec2 packed, uint tile, uint depth_blocks) {
  return advance(packed, tile, depth_blocks * screen_block_bytes);
}

// Which 16 bytes of a tile hold halves 8 * chunk … 8 * chunk + 7 of a row.
uint operand_chunk(uint row, uint chunk) {
  return chunk / 8u * (screen_block_bytes / 16u) + 8u * row + ((chunk ^ row) & 7u);
}

#endif
