#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "proxel/passes/pack_tiles.h"
PROXEL_PACK_TILES_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "elements.glsl"
#include "workgroup.glsl"

layout(push_constant, std430) uniform Push { PackTilesParameters p; };

layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer TileOut { float values[]; };

// Dimensions staged at once; one column more keeps the banks apart.
const uint chunk = 16u;
// Values that one of 128 invocations moves.
const uint per_invocation = tile_rows * chunk / 128u;
shared float staged[tile_rows][chunk + 1u];

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint chunks = (p.dimensions - 1u) / chunk + 1u;
  const uint tiles = (p.source_rows - 1u) / tile_rows + 1u;
  const uint chunk_step = gl_NumWorkGroups.x % chunks;
  const uint tile_step = gl_NumWorkGroups.x / chunks;
  uint chunk_index = gl_WorkGroupID.x % chunks;
  uint tile = gl_WorkGroupID.x / chunks;
  while (tile < tiles) {
    const uint first_dimension = chunk_index * chunk;
    const uint width = min(chunk, p.dimensions - first_dimension);
    // 128 rows are a multiple of 4 bytes.
    const uvec2 source = advance_elements(
        p.source, tile, tile_rows / 4u * element_bytes(ELEMENT) * p.dimensions);
    // All that an invocation reads is under way before it waits for any of it.
    float loaded[per_invocation];
    [[unroll]] for (uint j = 0u; j < per_invocation; ++j) {
      const uint i = thread + j * WORKGROUP_SIZE;
      const uint row = i / chunk;
      const uint dimension = i % chunk;
      loaded[j] = 0.0;
      if (dimension < width && row < tile_rows && tile * tile_rows + row < p.source_rows)
        loaded[j] = element_value(source, ELEMENT, row * p.dimensions + first_dimension + dimension);
    }
    [[unroll]] for (uint j = 0u; j < per_invocation; ++j) {
      const uint i = thread + j * WORKGROUP_SIZE;
      if (i < tile_rows * chunk) staged[i / chunk][i % chunk] = loaded[j];
    }
    barrier();
    TileOut destination = TileOut(tile_address(p.rows, p.first_row / tile_rows + tile));
    [[unroll]] for (uint j = 0u; j < per_invocation; ++j) {
      const uint i = thread + j * WORKGROUP_SIZE;
      if (i < tile_rows * width)
        destination.values[(first_dimension + i / tile_rows) * p.rows.dimension_stride + i % tile_rows] =
            staged[i % tile_rows][i / tile_rows];
    }
    barrier();
    tile += tile_step;
    chunk_index += chunk_step;
    if (chunk_index >= chunks) {
      chunk_index -= chunks;
      ++tile;
    }
  }
}
