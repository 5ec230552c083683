#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/unpack_rows.h"

layout(push_constant, std430) uniform Push { UnpackRowsParameters p; };

// Dimensions staged at once; one column more keeps the banks apart. Bits, not
// values, so that nothing is flushed on the way.
const uint chunk = 16u;
// Values that one of 128 invocations moves.
const uint per_invocation = tile_rows * chunk / 128u;
shared uint staged[tile_rows][chunk + 1u];

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint chunks = (p.dimensions - 1u) / chunk + 1u;
  const uint tiles = (p.row_count - 1u) / tile_rows + 1u;
  const uint chunk_step = gl_NumWorkGroups.x % chunks;
  const uint tile_step = gl_NumWorkGroups.x / chunks;
  uint chunk_index = gl_WorkGroupID.x % chunks;
  uint tile = gl_WorkGroupID.x / chunks;
  while (tile < tiles) {
    const uint first_dimension = chunk_index * chunk;
    const uint width = min(chunk, p.dimensions - first_dimension);
    const uint rows = min(tile_rows, p.row_count - tile * tile_rows);
    // All that an invocation reads is under way before it waits for any of it.
    uint loaded[per_invocation];
    [[unroll]] for (uint j = 0u; j < per_invocation; ++j) {
      const uint i = thread + j * WORKGROUP_SIZE;
      const uint row = p.first_row + tile * tile_rows + i % tile_rows;
      loaded[j] = 0u;
      if (i < tile_rows * width && i % tile_rows < rows)
        loaded[j] = UintsIn(tile_address(p.rows, row / tile_rows))
                        .values[(first_dimension + i / tile_rows) * p.rows.dimension_stride +
                                (row % tile_rows) * p.rows.row_stride];
    }
    [[unroll]] for (uint j = 0u; j < per_invocation; ++j) {
      const uint i = thread + j * WORKGROUP_SIZE;
      if (i < tile_rows * width) staged[i % tile_rows][i / tile_rows] = loaded[j];
    }
    barrier();
    UintsOut destination =
        UintsOut(advance_elements(p.destination, tile * tile_rows, p.row_stride));
    [[unroll]] for (uint j = 0u; j < per_invocation; ++j) {
      const uint i = thread + j * WORKGROUP_SIZE;
      if (i < rows * chunk && i % chunk < width)
        destination.values[(i / chunk) * p.row_stride + first_dimension + i % chunk] =
            staged[i / chunk][i % chunk];
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
