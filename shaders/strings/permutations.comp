#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/permutations.h"

layout(push_constant, std430) uniform Push { PermutationsParameters p; };

uint distance_of(uvec2 object, uint permutant) {
  return UintsIn(advance_elements(object, permutant, p.permutant_stride)).values[0];
}

// An invocation counts for four permutants of one object at once.
void main() {
  const uint words = (p.permutants + 3u) / 4u;
  const uint first_block = p.first_object / permutation_block;
  const uint lines = ((p.first_object + p.objects - 1u) / permutation_block - first_block + 1u) * words;
  const uint lines_at_once = WORKGROUP_SIZE / permutation_block;
  const uint lane = gl_LocalInvocationID.x % permutation_block;
  for (uint first = gl_WorkGroupID.x * lines_at_once; first < lines;
       first += gl_NumWorkGroups.x * lines_at_once) {
    const uint line = first + gl_LocalInvocationID.x / permutation_block;
    // Wraps for objects of the first block before the first.
    const uint object_number = (first_block + line / words) * permutation_block + lane - p.first_object;
    if (line >= lines || object_number >= p.objects) continue;
    const uint word = line % words;
    const uvec2 object = advance_elements(p.distances, object_number, p.object_stride);
    uint own[4];
    uint positions[4];
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      own[i] = distance_of(object, min(4u * word + i, p.permutants - 1u));
      positions[i] = 0u;
    }
    for (uint j = 0u; j < p.permutants; ++j) {
      const uint other = distance_of(object, j);
      [[unroll]] for (uint i = 0u; i < 4u; ++i)
        if (other < own[i] || (other == own[i] && j < 4u * word + i)) ++positions[i];
    }
    uint packed = 0u;
    [[unroll]] for (uint i = 0u; i < 4u; ++i)
      if (4u * word + i < p.permutants) packed |= min(positions[i], p.kept) << (8u * i);
    UintsOut(advance(p.positions, first_block * words + line, 4u * permutation_block)).values[lane] =
        packed;
  }
}
