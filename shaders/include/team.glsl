// What 32 invocations, a whole workgroup, find out together: by subgroup
// operations where one subgroup holds them all in order, through shared memory
// elsewhere. All of them call every function together.
#ifndef PROXEL_TEAM_GLSL
#define PROXEL_TEAM_GLSL
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require

shared uint team_word;
bool one_subgroup;

void team_begin() {
  one_subgroup = gl_NumSubgroups == 1u &&
                 subgroupAll(gl_SubgroupInvocationID == gl_LocalInvocationID.x);
}

// Bit i is what invocation i says.
uint team_ballot(bool said) {
  if (one_subgroup) return subgroupBallot(said).x;
  barrier();
  if (gl_LocalInvocationID.x == 0u) team_word = 0u;
  barrier();
  if (said) atomicOr(team_word, 1u << gl_LocalInvocationID.x);
  barrier();
  return team_word;
}

uint team_minimum(uint value) {
  if (one_subgroup) return subgroupMin(value);
  barrier();
  if (gl_LocalInvocationID.x == 0u) team_word = 0xFFFFFFFFu;
  barrier();
  atomicMin(team_word, value);
  barrier();
  return team_word;
}

#endif
