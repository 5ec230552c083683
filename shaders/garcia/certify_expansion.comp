#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "order.glsl"
#include "workgroup.glsl"
#include "proxel/passes/certify_expansion.h"

layout(push_constant, std430) uniform Push { CertifyExpansionParameters p; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Undecided {
  uint count;
  uint padding[3];
  uint queries[];
};

bool certified(uint query) {
  const uint farthest_key =
      Keys(advance_keys(p.keys, query, p.keys_stride)).values[p.k - 1u].y;
  const uint screened_key = UintsIn(advance_elements(p.screened, query, p.screened_pitch)).values[0];
  const float norm = FloatsIn(p.norms).values[query];
  precise float scale = FloatsIn(p.largest).values[0] + norm;
  // Not a number, or too large: the bits of 2^120 are 0x7B800000.
  if (floatBitsToUint(scale) > 0x7B800000u || p.dimensions > 1048576u) return false;
  if (screened_key == 0xFFFFFFFFu) return true;
  if (farthest_key == 0xFFFFFFFFu) return false;
  const float dimensions = float(p.dimensions);
  // 2^-21 and 2^-120
  precise float relative = (dimensions + 8.0) * uintBitsToFloat(0x35000000u);
  precise float bound = relative * scale + dimensions * uintBitsToFloat(0x03800000u);
  precise float lower = distance_of_key(screened_key, false) + norm - bound;
  return lower > distance_of_key(farthest_key, false);
}

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  for (uint query = gl_GlobalInvocationID.x; query < p.query_count; query += stride) {
    if (certified(query)) continue;
    Undecided undecided = Undecided(p.undecided);
    const uint slot = atomicAdd(undecided.count, 1u);
    undecided.queries[slot] = p.first_query + query;
  }
}
