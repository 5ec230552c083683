#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/group_minima.h"
PROXEL_GROUP_MINIMA_CONSTANTS(PROXEL_SPECIALISED)
#include "workgroup.glsl"

#include "selection_rows.glsl"

layout(push_constant, std430) uniform Push { GroupMinimaParameters p; };

shared uvec2 found[WORKGROUP_SIZE];

// Places among the numbers, in order: how many there are, and that of the first of the two zeros.
const uint number_places = 0xFF800001u - first_number;
const uint zero_place = 0x7FFFFFFFu - first_number;

// Pieces that each invocation reads before it uses the first.
const uint PIECES = 4u;

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint row = gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y;
  if (row >= p.rows.rows) return;
  open_row(p.rows, row);
  const uint stride = p.groups * MERGE;
  uint piece = gl_WorkGroupID.x * WORKGROUP_SIZE + thread;
  // A value of the row even where all are NaN.
  uvec2 best = no_row;
  if (piece == 0u)
    best.y = 0u;
  else if (row_holds(2u * piece, 0u))
    best.y = column_of(2u * piece, 0u);
  uint best_place = number_places;  // among the numbers, in order
  for (uint s = 0u; s < p.steps; s += PIECES) {
    uvec4 read[2u * PIECES];
    [[unroll]] for (uint i = 0u; i < 2u * PIECES; ++i)
      read[i] = read_vector(2u * (piece + i / 2u * stride) + i % 2u);
    uint least = 0xFFFFFFFFu;
    [[unroll]] for (uint i = 0u; i < 2u * PIECES; ++i)
      [[unroll]] for (uint e = 0u; e < 4u; ++e) {
        read[i][e] = order_key(read[i][e]) - first_number;
        least = min(least, read[i][e]);
      }
    // Pieces come in the order of their columns: of equal values the first stays. Both zeros are equal.
    const bool zero = least == zero_place || least == zero_place + 1u;
    if (zero) least = zero_place;
    if (least < best_place) {
      best_place = least;
      const uint equal = zero ? zero_place + 1u : least;
      best.x = key_of_number(least + first_number);
      [[unroll]] for (uint j = 1u; j <= 8u * PIECES; ++j) {
        const uint at = 8u * PIECES - j;
        if (read[at / 4u][at % 4u] <= equal) best.y = 8u * (piece + at / 8u * stride) + at % 8u - row_skip;
      }
    }
    piece += PIECES * stride;
  }
  if (MERGE == 1u) {
    found[thread] = best;
  } else {
    found[thread] = best;
    barrier();
    if (thread % MERGE == 0u)
      [[unroll]] for (uint i = 1u; i < MERGE; ++i) best = key_min(best, found[thread + i]);
  }
  if (thread % MERGE == 0u) {
    const uint group = (gl_WorkGroupID.x * WORKGROUP_SIZE + thread) / MERGE;
    Keys(advance_keys(p.minima, row, p.groups)).values[group] = best.yx;
  }
}
