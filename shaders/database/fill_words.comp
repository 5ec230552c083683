#version 460
#extension GL_GOOGLE_include_directive : require
#include "workgroup.glsl"
#include "address.glsl"
#include "proxel/passes/fill_words.h"

layout(push_constant, std430) uniform Push { FillWordsParameters p; };

void main() {
  const uint first = gl_WorkGroupID.x * WORKGROUP_SIZE + gl_LocalInvocationID.x, step = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  const uint fours = (p.to.x & 15u) == 0u ? p.words / 4u : 0u;
  for (uint i = first; i < fours; i += step) Uint4sOut(p.to).values[i] = uvec4(p.word);
  for (uint i = 4u * fours + first; i < p.words; i += step) UintsOut(p.to).values[i] = p.word;
}
