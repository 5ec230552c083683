#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "decode.glsl"
#include "workgroup.glsl"
#include "proxel/passes/signature_bounds.h"

layout(push_constant, std430) uniform Push { SignatureBoundsParameters p; };

const uint pairs = signature_pivots * signature_pivots;
const uint at_a_time = 8u;  // pivots whose distances are in registers
const float some_of = 9.5367431640625e-07;  // 2^-20

// Of the query: its intervals, and what a pair's distances to an object are multiplied with.
shared float query_low[signature_pivots];
shared float query_high[signature_pivots];
shared float of_near[pairs];
shared float of_other[pairs];

void prepare_factors() {
  const uint lane = gl_LocalInvocationID.x;
  if (lane < signature_pivots) {
    precise float low = 0.0, high = 0.0;
    if (lane < p.pivots) {
      const float given = FloatsIn(advance_elements(p.query_distances, gl_WorkGroupID.y, signature_pivots)).values[lane];
      const float error = FloatsIn(p.query_errors).values[gl_WorkGroupID.y];
      precise float square = given * given;
      precise float some = square * some_of;
      precise float less = square - some;
      precise float least = less - error;
      precise float more = square + some;
      precise float most = more + error;
      const float low_root = rounded_root(max(least, 0.0));
      const float high_root = rounded_root(most);
      precise float of_low = low_root * some_of;
      precise float of_high = high_root * some_of;
      low = low_root - of_low;
      high = high_root + of_high;
    }
    query_low[lane] = low;
    query_high[lane] = high;
  }
  barrier();
  for (uint i = lane; i < pairs; i += WORKGROUP_SIZE) {
    precise float near = query_low[i % signature_pivots] * FloatsIn(p.inverse_low).values[i];
    precise float other = query_high[i / signature_pivots] * FloatsIn(p.inverse_high).values[i];
    of_near[i] = near;
    of_other[i] = other;
  }
  barrier();
}

float bound_of(uint object) {
  FloatsIn low = FloatsIn(advance(p.low, object, 4u));
  FloatsIn high = FloatsIn(advance(p.high, object, 4u));
  float bound = 0.0;
  for (uint first = 0u; first < signature_pivots; first += at_a_time) {
    float far[at_a_time];
    [[unroll]] for (uint j = 0u; j < at_a_time; ++j) {
      far[j] = high.values[(first + j) * p.object_stride];
      precise float below = query_low[first + j] - far[j];
      precise float above = low.values[(first + j) * p.object_stride] - query_high[first + j];
      bound = max(bound, max(below, above));
    }
    for (uint near = 0u; near < signature_pivots; ++near) {
      const float to_near = low.values[near * p.object_stride];
      [[unroll]] for (uint j = 0u; j < at_a_time; ++j) {
        const uint pair = near * signature_pivots + first + j;
        precise float gained = of_near[pair] * to_near;
        precise float lost = of_other[pair] * far[j];
        precise float of_pair = gained - lost;
        bound = max(bound, of_pair);
      }
    }
  }
  return bound;
}

void main() {
  prepare_factors();
  for (uint object = gl_GlobalInvocationID.x; object < p.objects; object += gl_NumWorkGroups.x * WORKGROUP_SIZE) {
    const float bound = bound_of(object);
    precise float square = bound * bound;
    precise float some = square * 1.9073486328125e-06;  // 2^-19
    precise float lowered = square - some;
    FloatsOut(advance(advance_elements(p.bounds, gl_WorkGroupID.y, p.bound_stride), object, 4u)).values[0] = lowered;
  }
}
