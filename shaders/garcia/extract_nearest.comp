#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "decode.glsl"
#include "workgroup.glsl"
#include "proxel/passes/extract_nearest.h"

layout(push_constant, std430) uniform Push { ExtractNearestParameters p; };

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  const bool largest = p.largest_first != 0u;
  const uint none = largest && p.finish != finish_complement ? 0xFF800000u : 0x7F800000u;
  const bool tracked = !is_null(p.nearest_indices);
  const uint count = p.query_count * p.k;
  for (uint i = gl_GlobalInvocationID.x; i < count; i += stride) {
    const uint query = i / p.k;
    const uint rank = i % p.k;
    uint index = 0xFFFFFFFFu;
    uint distance = none;
    if (rank < p.found) {
      const uint kept =
          UintsIn(advance_elements(advance_elements(readable(tracked, p.nearest_indices, p.nearest_keys), rank,
                                                    p.rank_pitch), query, p.query_pitch)).values[0];
      if (tracked) index = kept;
      const uint bits = UintsIn(advance_elements(advance_elements(p.nearest_keys, rank, p.rank_pitch), query,
                                                 p.query_pitch)).values[0];
      precise float value = p.values != 0u ? uintBitsToFloat(bits) : distance_of_key(bits, largest);
      if (!is_null(p.norms)) value = value + FloatsIn(p.norms).values[query];
      if (p.finish == finish_complement) value = 1.0 - value;
      distance = floatBitsToUint(value);
      // Zero of either sign is its own root; below zero there is none.
      const bool negative = (distance & 0x80000000u) != 0u && distance != 0x80000000u;
      if (p.finish == finish_root && !negative) distance = floatBitsToUint(rounded_root(value));
      if ((p.finish == finish_root && negative) || (distance & 0x7FFFFFFFu) > 0x7F800000u)
        distance = 0x7FC00000u;
      if (p.values != 0u && index == 0xFFFFFFFFu) distance = none;
    }
    UintsOut(p.indices).values[i] = index;
    UintsOut(p.distances).values[i] = distance;
  }
}
