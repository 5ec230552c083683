#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/permutation_distance.h"

layout(constant_id = 1) const uint DISTANCE = 0u;
layout(push_constant, std430) uniform Push { PermutationDistanceParameters p; };

shared uint query[most_permutants / 4u];

uint byte_of(uint word, uint i) { return (word >> (8u * i)) & 255u; }

uint difference_of(uint a, uint b) {
  const int difference = int(a) - int(b);
  if (DISTANCE == permutation_spearman_rho) return uint(difference * difference);
  return uint(abs(difference));
}

void main() {
  const uint words = (p.permutants + 3u) / 4u;
  const uint number = p.first_query + gl_WorkGroupID.y;
  UintsIn from = UintsIn(advance(p.query_positions, number / permutation_block * words,
                                 4u * permutation_block));
  for (uint i = gl_LocalInvocationID.x; i < words; i += WORKGROUP_SIZE)
    query[i] = from.values[i * permutation_block + number % permutation_block];
  barrier();
  const uint tiles = (p.objects - 1u) / WORKGROUP_SIZE + 1u;
  for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
    const uint object = tile * WORKGROUP_SIZE + gl_LocalInvocationID.x;
    if (object >= p.objects) continue;
    UintsIn positions = UintsIn(advance(p.positions, object / permutation_block * words,
                                        4u * permutation_block));
    const uint lane = object % permutation_block;
    uint sum = 0u;
    for (uint w = 0u; w < words; ++w) {
      const uint a = query[w];
      const uint b = positions.values[w * permutation_block + lane];
      if (DISTANCE != permutation_kendall_tau) {
        // Bytes past the last permutant are 0 in both.
        [[unroll]] for (uint i = 0u; i < 4u; ++i) sum += difference_of(byte_of(a, i), byte_of(b, i));
        continue;
      }
      for (uint v = 0u; v <= w; ++v) {
        const uint other_a = query[v];
        const uint other_b = positions.values[v * permutation_block + lane];
        [[unroll]] for (uint i = 0u; i < 4u; ++i)
          [[unroll]] for (uint j = 0u; j < 4u; ++j)
            if (4u * v + j < 4u * w + i && 4u * w + i < p.permutants &&
                (int(byte_of(a, i)) - int(byte_of(other_a, j))) *
                        (int(byte_of(b, i)) - int(byte_of(other_b, j))) < 0)
              ++sum;
      }
    }
    FloatsOut(advance(advance_elements(p.distances, gl_WorkGroupID.y, p.distance_stride), object, 4u))
        .values[0] = float(sum);
  }
}
