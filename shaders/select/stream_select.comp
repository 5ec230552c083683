#version 460
#extension GL_GOOGLE_include_directive : require
#include "selection_rows.glsl"
#include "workgroup.glsl"
#include "proxel/passes/stream_select.h"

layout(constant_id = 1) const uint CAPACITY = 512u;
layout(constant_id = 2) const bool LARGEST_FIRST = false;

// Vectors that each invocation reads before it uses the first.
const uint VECTORS = 4u;
const uint CHUNK = 4u * VECTORS;
uint chunk_keys[CHUNK];
uint chunk_vector;
uint chunk_index(uint j) { return column_of(chunk_vector + j / 4u * WORKGROUP_SIZE, j % 4u); }
#include "pool_select.glsl"

layout(push_constant, std430) uniform Push { StreamSelectParameters p; };

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint row = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  if (row >= p.rows.rows) return;
  open_row(p.rows, row);
  pool_begin(min(p.result.k, p.rows.columns));
  const uint end = row_vectors();
  for (uint first = 0u; first < end; first += VECTORS * WORKGROUP_SIZE) {
    chunk_vector = first + thread;
    uvec4 read[VECTORS];
    [[unroll]] for (uint i = 0u; i < VECTORS; ++i)
      read[i] = read_vector(chunk_vector + i * WORKGROUP_SIZE);
    [[unroll]] for (uint j = 0u; j < CHUNK; ++j) chunk_keys[j] = order_key(read[j / 4u][j % 4u]);
    if (first == 0u && p.rows.columns > CAPACITY) pool_prime();
    pool_offer();
  }
  const uint found = pool_finish(p.result.sorted != 0u);
  for (uint i = thread; i < p.result.k; i += WORKGROUP_SIZE)
    write_selected(p.result, p.rows, row, i, i < found ? pool[i] : no_row, LARGEST_FIRST);
}
