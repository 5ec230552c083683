#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/screen_sample.h"
#include "screen_bounds.glsl"
#include "screen_operand.glsl"
#include "workgroup.glsl"

layout(push_constant, std430) uniform Push { ScreenSampleParameters p; };

shared vec4 row_bounds[tile_rows];

// Row i of a tile of the sample; a sample that is not there reads the first one.
struct Sampled {
  bool exists;
  uint row;
};
Sampled sampled(uint tile, uint i) {
  const uint sample_number = screen_sample_number(i, tile, gl_NumWorkGroups.x);
  const bool exists = sample_number < p.row_count / p.share;
  return Sampled(exists, screen_sampled_row(exists ? sample_number : 0u, p.share));
}

void main() {
  const uint tile = gl_WorkGroupID.x;
  const uint chunks = p.depth_blocks * 8u;
  Uint4sOut to = Uint4sOut(operand_tile(p.sampled, tile, p.depth_blocks));
  for (uint at = gl_LocalInvocationID.x; at < tile_rows * chunks; at += WORKGROUP_SIZE) {
    // Neighbouring invocations read a row's chunks of a block.
    const uint chunk = at / (8u * tile_rows) * 8u + at % 8u, i = at / 8u % tile_rows;
    const Sampled from = sampled(tile, i);
    Uint4sIn rows = Uint4sIn(operand_tile(p.rows, from.row / tile_rows, p.depth_blocks));
    const uvec4 values = rows.values[operand_chunk(from.row % tile_rows, chunk)];
    to.values[operand_chunk(i, chunk)] = from.exists ? values : uvec4(0u);
  }
  UintsIn biases = UintsIn(p.biases);
  UintsOut sampled_biases = UintsOut(advance_elements(p.sampled_biases, tile, tile_rows));
  Float4sIn bounds = Float4sIn(p.bounds);
  for (uint i = gl_LocalInvocationID.x; i < tile_rows; i += WORKGROUP_SIZE) {
    const Sampled from = sampled(tile, i);
    const uint bias = biases.values[from.row];
    const vec4 bound = bounds.values[from.row / tile_rows];
    sampled_biases.values[i] = from.exists ? bias : p.nothing;
    row_bounds[i] = from.exists ? bound : vec4(largest_float);
  }
  barrier();
  if (gl_LocalInvocationID.x >= 4u) return;
  float least = largest_float;
  for (uint i = 0u; i < tile_rows; ++i) least = min(least, row_bounds[i][gl_LocalInvocationID.x]);
  FloatsOut(advance(p.sampled_bounds, tile, 16u)).values[gl_LocalInvocationID.x] = least;
}
