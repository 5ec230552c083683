// Sums and ranges over a workgroup, any subgroup size.
//
// All calls are made by the whole workgroup together.
#ifndef PROXEL_REDUCTIONS_GLSL
#define PROXEL_REDUCTIONS_GLSL
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require

// Three turns of a reduction, so that one barrier per reduction suffices.
shared uint reduced_sum[3];
shared uint reduced_low[3];
shared uint reduced_high[3];
uint reduction_turn = 0u;

// To be called before the first reduction.
void reductions_begin() {
  if (gl_LocalInvocationID.x < 3u) {
    reduced_sum[gl_LocalInvocationID.x] = 0u;
    reduced_high[gl_LocalInvocationID.x] = 0u;
    reduced_low[gl_LocalInvocationID.x] = 0xFFFFFFFFu;
  }
  barrier();
}

// Completes a turn: everything written before is visible, and the sum is returned.
uint end_of_turn() {
  const uint turn = reduction_turn;
  reduction_turn = turn == 2u ? 0u : turn + 1u;
  if (gl_LocalInvocationID.x == 0u) {
    reduced_sum[reduction_turn] = 0u;
    reduced_high[reduction_turn] = 0u;
    reduced_low[reduction_turn] = 0xFFFFFFFFu;
  }
  barrier();
  return reduced_sum[turn];
}

uint workgroup_total(uint mine) {
  mine = subgroupAdd(mine);
  if (subgroupElect() && mine != 0u) atomicAdd(reduced_sum[reduction_turn], mine);
  return end_of_turn();
}

// The least and the largest of all invocations' numbers.
uvec2 workgroup_range(uint low, uint high) {
  low = subgroupMin(low);
  high = subgroupMax(high);
  const uint turn = reduction_turn;
  if (subgroupElect()) {
    atomicMin(reduced_low[turn], low);
    atomicMax(reduced_high[turn], high);
  }
  end_of_turn();
  return uvec2(reduced_low[turn], reduced_high[turn]);
}

#endif
