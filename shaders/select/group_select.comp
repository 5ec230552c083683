#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/group_select.h"
PROXEL_GROUP_SELECT_CONSTANTS(PROXEL_SPECIALISED)
#include "workgroup.glsl"

#include "selection_rows.glsl"

// Minima that each invocation reads before it uses the first; values of pieces.
const uint CHUNK = 16u;
uint chunk_keys[CHUNK];
uint chunk_indices[CHUNK];
const uint chunk_begin = 0u;
const bool ASCENDING = false;
uint chunk_index(uint j) { return chunk_indices[j]; }
uint chosen_index(uint j) { return chunk_indices[j]; }
#include "pool_select.glsl"

layout(push_constant, std430) uniform Push { GroupSelectParameters p; };

// The groups to read again, in front of which their keys stood.
shared uint groups[CAPACITY / 2u];

uvec4 next[CHUNK / 4u];         // what is offered next
uint next_vectors[CHUNK / 8u];  // where a piece of it begins

void read_pieces(uint first, uint pieces, uint per_group) {
  const uint merge_bits = uint(findMSB(p.merge));
  [[unroll]] for (uint i = 0u; i < CHUNK / 8u; ++i) {
    const uint item = first + i * WORKGROUP_SIZE + gl_LocalInvocationID.x;
    // Past the last one, a piece that no row has.
    uint piece = 0x40000000u;
    if (item < pieces) {
      const uint group = item / per_group;
      const uint rest = item - group * per_group;
      piece = ((rest >> merge_bits) * p.groups + groups[group] << merge_bits) + (rest & p.merge - 1u);
    }
    next_vectors[i] = 2u * piece;
    next[2u * i] = read_vector(next_vectors[i]);
    next[2u * i + 1u] = read_vector(next_vectors[i] + 1u);
  }
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint row = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  if (row >= p.rows.rows) return;
  open_row(p.rows, row);
  Keys minima_of_row = Keys(advance_keys(p.minima, row, p.groups));
  pool_begin(min(p.result.k, p.rows.columns));

  for (uint first = 0u; first < p.groups; first += CHUNK * WORKGROUP_SIZE) {
    [[unroll]] for (uint j = 0u; j < CHUNK; ++j) {
      const uint group = first + j * WORKGROUP_SIZE + thread;
      uvec2 key = no_row;
      if (group < p.groups) key = minima_of_row.values[group].yx;
      chunk_keys[j] = key.x;
      chunk_indices[j] = key.y;
    }
    if (first == 0u && p.groups > CAPACITY) pool_prime();
    pool_offer();
  }
  pool_narrow(pool_loose());
  const uint group_count = pool_held;
  for (uint i = thread; i < group_count; i += WORKGROUP_SIZE) {
    const uint column = pool[i].y;
    groups[i] = (column / 8u + (column % 8u + row_skip) / 8u) / p.merge % p.groups;
  }
  pool_clear();

  // Not more than a row has of pieces.
  const uint per_group = p.steps * p.merge;
  const uint pieces = group_count * per_group;
  const uint step = CHUNK / 8u * WORKGROUP_SIZE;
  read_pieces(0u, pieces, per_group);
  for (uint first = 0u; first < pieces; first += step) {
    [[unroll]] for (uint j = 0u; j < CHUNK; ++j) {
      chunk_keys[j] = order_key(next[j / 4u][j % 4u]);
      chunk_indices[j] = column_of(next_vectors[j / 8u] + j / 4u % 2u, j % 4u);
    }
    // What comes next is on its way while a chunk is looked at.
    if (first + step < pieces) read_pieces(first + step, pieces, per_group);
    pool_offer();
  }
  pool_write(p.result, p.rows, row);
}
