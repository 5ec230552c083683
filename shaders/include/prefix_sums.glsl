// Sums over the invocations of a workgroup.
#ifndef PROXEL_PREFIX_SUMS_GLSL
#define PROXEL_PREFIX_SUMS_GLSL
#include "workgroup.glsl"

shared uint prefix_sums[WORKGROUP_SIZE];

// The sum over the invocations before this one, and that of all. All invocations together.
uint sum_before(uint number, out uint all) {
  const uint thread = gl_LocalInvocationID.x;
  uint sum = number;
  prefix_sums[thread] = sum;
  barrier();
  for (uint distance = 1u; distance < WORKGROUP_SIZE; distance *= 2u) {
    if (thread >= distance) sum += prefix_sums[thread - distance];
    barrier();
    prefix_sums[thread] = sum;
    barrier();
  }
  all = prefix_sums[WORKGROUP_SIZE - 1u];
  barrier();
  return sum - number;
}

#endif
