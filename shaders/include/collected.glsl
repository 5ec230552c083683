// The rows that screen_tiles or screen_canonical collected for a query. Included behind the push constants `p` of
// screen_refine or screen_survivors.
#ifndef PROXEL_COLLECTED_GLSL
#define PROXEL_COLLECTED_GLSL
#include "screen_bounds.glsl"
#include "workgroup.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Found { uvec2 values[]; };

QueryBounds bounds;
uint slot;  // of the lists

// Of a row, from the bounds of its tile; where scores are exact there are none.
float error_in(vec4 tile_bounds) { return is_null(p.row_bounds) ? 0.0 : score_error(bounds.error, tile_bounds); }
float error_of(uint row) {
  if (is_null(p.row_bounds)) return 0.0;
  return error_in(Float4sIn(advance(p.row_bounds, row / tile_rows, 16u)).values[0]);
}

Found list_of(uint split) {
  return Found(advance_keys(p.found, slot * p.splits + split, p.capacity));
}

shared uint collected_total;

// How many rows were collected; fewer than none where a list overflowed. Called by the whole workgroup together.
int collected_rows(UintsIn counts) {
  if (gl_LocalInvocationID.x == 0u) collected_total = 0u;
  barrier();
  uint own = 0u;
  bool complete = true;
  for (uint split = gl_LocalInvocationID.x; split < p.splits; split += WORKGROUP_SIZE) {
    const uint count = counts.values[split];
    complete = complete && count <= p.capacity;
    own += min(count, p.capacity);
  }
  atomicAdd(collected_total, own);
  if (!complete) atomicOr(collected_total, 0x80000000u);
  barrier();
  return int(collected_total);
}

// How many invocations share a list, a power of two or all of them: lists are many and short, or few and long.
uint list_lanes(int collected) {
  if (p.splits * 32u < WORKGROUP_SIZE) return WORKGROUP_SIZE;
  uint lanes = 1u;
  while (lanes < 32u && lanes * p.splits < uint(collected)) lanes *= 2u;
  return lanes;
}

#endif
