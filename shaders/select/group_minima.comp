#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/group_minima.h"
PROXEL_GROUP_MINIMA_CONSTANTS(PROXEL_SPECIALISED)
#include "workgroup.glsl"

#include "selection_rows.glsl"

layout(push_constant, std430) uniform Push { GroupMinimaParameters p; };

shared uvec2 found[WORKGROUP_SIZE];

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
  for (uint s = 0u; s < p.steps; s += PIECES) {
    uvec4 read[2u * PIECES];
    [[unroll]] for (uint i = 0u; i < 2u * PIECES; ++i)
      read[i] = read_vector(2u * (piece + i / 2u * stride) + i % 2u);
    [[unroll]] for (uint i = 0u; i < 2u * PIECES; ++i) {
      const uint vector = 2u * (piece + i / 2u * stride) + i % 2u;
      [[unroll]] for (uint e = 0u; e < 4u; ++e) {
        const uint key = distance_key(uintBitsToFloat(read[i][e]), LARGEST_FIRST);
        if (key < best.x) best = uvec2(key, column_of(vector, e));
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
