#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "trial.glsl"

// Each subgroup hands numbers round among its invocations, some subgroups oftener than
// others and some not at all. An invocation's result is 1 where it got what it should have.
const uint room = 2048u;
shared uint held[room];

void main() {
  const uvec4 present = subgroupBallot(true);
  const uint lane = subgroupBallotExclusiveBitCount(present);
  const uint width = subgroupBallotBitCount(present);
  const uint first = gl_SubgroupID * gl_SubgroupSize;
  const uint rounds = gl_SubgroupID % 5u;
  if (first + width > room) return;
  held[first + lane] = lane;
  subgroupMemoryBarrierShared();
  subgroupBarrier();
  for (uint round = 0u; round < rounds; ++round) {
    const uint got = held[first + (lane + 1u) % width];
    subgroupMemoryBarrierShared();
    subgroupBarrier();
    held[first + lane] = got;
    subgroupMemoryBarrierShared();
    subgroupBarrier();
  }
  UintsOut(p.results).values[gl_LocalInvocationID.x] = uint(held[first + lane] == (lane + rounds) % width);
}
