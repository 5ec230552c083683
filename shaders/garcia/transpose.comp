#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/transpose.h"

layout(push_constant, std430) uniform Push { TransposeParameters p; };

// A word more than a side, so that a column of it lies in as many banks.
shared uint square[transpose_side * (transpose_side + 1u)];

void main() {
  const uint lane = gl_LocalInvocationID.x % transpose_side;
  const uint line = gl_LocalInvocationID.x / transpose_side;
  const uint lines = WORKGROUP_SIZE / transpose_side;
  const uint across = (p.columns - 1u) / transpose_side + 1u;
  const uint down = (p.rows - 1u) / transpose_side + 1u;
  for (uint y = gl_WorkGroupID.y; y < down; y += gl_NumWorkGroups.y)
    for (uint x = gl_WorkGroupID.x; x < across; x += gl_NumWorkGroups.x) {
      const uint row = y * transpose_side, column = x * transpose_side;
      // Of the square, which may end with the matrix.
      const uint height = min(transpose_side, p.rows - row), width = min(transpose_side, p.columns - column);
      for (uint i = line; i < height; i += lines)
        if (lane < width)
          square[i * (transpose_side + 1u) + lane] =
              UintsIn(advance_elements(p.from, row + i, p.from_pitch)).values[column + lane];
      barrier();
      for (uint i = line; i < width; i += lines)
        if (lane < height)
          UintsOut(advance_elements(p.to, column + i, p.to_pitch)).values[row + lane] =
              square[lane * (transpose_side + 1u) + i];
      barrier();  // the square is written anew
    }
}
