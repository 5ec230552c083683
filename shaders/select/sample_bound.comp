#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/sample_bound.h"
PROXEL_SAMPLE_BOUND_CONSTANTS(PROXEL_SPECIALISED)
#include "workgroup.glsl"
#include "sampled_four.glsl"
#include "selection_rows.glsl"

layout(push_constant, std430) uniform Push { SampleBoundParameters p; };

// Fours that each invocation reads before it uses the first.
const uint FOURS = 4u;
const uint CHUNK = 4u * FOURS;
uint chunk_keys[CHUNK];
uint chunk_fours[FOURS];
const uint chunk_begin = 0u;
const bool ASCENDING = false;
uint chunk_index(uint j) { return column_of(chunk_fours[j / 4u], j % 4u); }
uint chosen_index(uint j) { return 4u * chunk_fours[j / 4u] + j % 4u - row_skip; }

// A key of the sample in its place: the bound of the part that ends with it, if one does.
void write_bound(uint row, uint slot, uvec2 key) {
  const uint part = ((slot + 1u) * p.parts + p.sample_rank - 1u) / p.sample_rank;
  if (part * p.sample_rank / p.parts == slot + 1u) Keys(advance_keys(p.bounds, row, p.parts)).values[part - 1u] = key.yx;
}
#define WRITE_SLOT(result, rows, row, slot, key) write_bound(row, slot, key)
#include "pool_select.glsl"

uvec4 next[FOURS];  // what is offered next
uint next_fours[FOURS];

void read_sample(uint first, uint sampled) {
  [[unroll]] for (uint i = 0u; i < FOURS; ++i) {
    next_fours[i] = sampled_four(first + i * WORKGROUP_SIZE + gl_LocalInvocationID.x, sampled, p.sample_step);
    next[i] = read_vector(next_fours[i]);
  }
}

void main() {
  const uint row = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  if (row >= p.rows.rows) return;
  open_row(p.rows, row);
  UintsOut counters = UintsOut(advance_elements(p.counters, row, p.parts));
  for (uint part = gl_LocalInvocationID.x; part < p.parts; part += WORKGROUP_SIZE) counters.values[part] = 0u;
  pool_begin(p.sample_rank);
  const uint sampled = fours_of_sample(row_vectors(), p.sample_step);
  const uint step = FOURS * WORKGROUP_SIZE;
  read_sample(0u, sampled);
  for (uint first = 0u; first < sampled; first += step) {
    [[unroll]] for (uint j = 0u; j < CHUNK; ++j) chunk_keys[j] = order_key(next[j / 4u][j % 4u]);
    [[unroll]] for (uint i = 0u; i < FOURS; ++i) chunk_fours[i] = next_fours[i];
    // What comes next is on its way while a chunk is looked at.
    if (first + step < sampled) read_sample(first + step, sampled);
    if (first == 0u && 4u * sampled > CAPACITY) pool_prime();
    pool_offer();
  }
  SelectionRows none;
  SelectionResult bounds;
  bounds.k = p.sample_rank;
  bounds.sorted = 1u;
  pool_write(bounds, none, row);
}
