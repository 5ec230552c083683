#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "proxel/passes/quick_sort_local.h"
PROXEL_QUICK_SORT_LOCAL_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "order.glsl"
#include "workgroup.glsl"

#include "selection_rows.glsl"

layout(push_constant, std430) uniform Push { QuickSortLocalParameters p; };

// Keys of the longest subsequence for each invocation.
const uint ITEMS = PART / WORKGROUP_SIZE;

shared uvec2 keys[PART];
// Subsequences to be sorted sequentially, and those for single subgroups.
shared uint shorts[PART / 3u + 1u];
shared uint short_count;
shared uint middles[PART / quick_sort_short];
shared uint middle_count;
// Subsequences that wait: the workgroup's, and each subgroup's.
shared uint waiting[quick_sort_stack];
shared uint waiting_alone[WORKGROUP_SIZE];
// Keys that went left (low half) and right; the other one is cleared meanwhile.
shared uint sides[2];
uint turn = 0u;

uint packed_sequence(uint first, uint count) { return first << 16 | count; }

uvec2 median_of_three(uvec2 a, uvec2 b, uvec2 c) {
  const uvec2 low = key_min(a, b);
  const uvec2 high = key_less(a, b) ? b : a;
  return key_less(c, low) ? low : key_min(high, c);
}

// Moves the keys of a subsequence left and right of the median of three, which
// comes between them. Returns how many went left.
// @param alone  a subgroup works on it, not the workgroup
uint split(uint first, uint count, const bool alone) {
  const uint lane = alone ? gl_SubgroupInvocationID : gl_LocalInvocationID.x;
  const uint width = alone ? gl_SubgroupSize : WORKGROUP_SIZE;
  const uvec2 pivot =
      median_of_three(keys[first], keys[first + count / 2u], keys[first + count - 1u]);
  uvec2 held[ITEMS];
  uint places[ITEMS];  // among the subgroup's that go to the same side
  uint lefts = 0u;
  uint rights = 0u;
  [[unroll]] for (uint j = 0u; j < ITEMS; ++j) {
    if (j * width >= count) break;
    const uint i = j * width + lane;
    held[j] = keys[first + min(i, count - 1u)];
    const bool is_left = i < count && key_less(held[j], pivot);
    const bool is_right = i < count && key_less(pivot, held[j]);
    const uvec4 left_lanes = subgroupBallot(is_left);
    const uvec4 right_lanes = subgroupBallot(is_right);
    places[j] = is_left ? lefts + subgroupBallotExclusiveBitCount(left_lanes)
                        : rights + subgroupBallotExclusiveBitCount(right_lanes);
    lefts += subgroupBallotBitCount(left_lanes);
    rights += subgroupBallotBitCount(right_lanes);
  }
  uint before_left = 0u;
  uint before_right = 0u;
  if (alone) {
    subgroupMemoryBarrierShared();
    subgroupBarrier();
  } else {
    uint before = 0u;
    if (subgroupElect()) before = atomicAdd(sides[turn], lefts | rights << 16);
    before = subgroupBroadcastFirst(before);
    before_left = before & 0xFFFFu;
    before_right = before >> 16;
    barrier();
    lefts = sides[turn] & 0xFFFFu;
    turn = 1u - turn;
    if (gl_LocalInvocationID.x == 0u) sides[turn] = 0u;
  }
  [[unroll]] for (uint j = 0u; j < ITEMS; ++j) {
    if (j * width >= count) break;
    const uint i = j * width + lane;
    if (i < count) {
      uint to = lefts;
      if (key_less(held[j], pivot)) to = before_left + places[j];
      if (key_less(pivot, held[j])) to = count - 1u - before_right - places[j];
      keys[first + to] = held[j];
    }
  }
  if (alone) {
    subgroupMemoryBarrierShared();
    subgroupBarrier();
  } else {
    barrier();
  }
  return lefts;
}

// Whether a subsequence is to be split here; otherwise it is put where it will
// be sorted. All invocations that work on it call this, one of them with `leads`.
bool long_enough(uint first, uint count, const bool alone, bool leads) {
  if (count < quick_sort_short) {
    if (leads && count > 1u) shorts[atomicAdd(short_count, 1u)] = packed_sequence(first, count);
    return false;
  }
  if (!alone && count <= quick_sort_alone * gl_SubgroupSize) {
    if (leads) middles[middle_count++] = packed_sequence(first, count);
    return false;
  }
  return true;
}

// Splits a subsequence until nothing is left that is long enough.
void sort_sequence(uint first, uint count, const bool alone) {
  const bool leads = alone ? gl_SubgroupInvocationID == 0u : gl_LocalInvocationID.x == 0u;
  const uint stack = gl_SubgroupID * gl_SubgroupSize;
  uint depth = 0u;
  for (;;) {
    const uint lefts = split(first, count, alone);
    const uint right = first + lefts + 1u;
    const uint rights = count - lefts - 1u;
    const bool right_is_longer = rights > lefts;
    const uint near = right_is_longer ? first : right;
    const uint near_count = min(lefts, rights);
    const uint far = right_is_longer ? right : first;
    const uint far_count = max(lefts, rights);
    const bool near_splits = long_enough(near, near_count, alone, leads);
    const bool far_splits = long_enough(far, far_count, alone, leads);
    if (near_splits) {
      if (leads) {
        if (alone) waiting_alone[stack + depth] = packed_sequence(far, far_count);
        else waiting[depth] = packed_sequence(far, far_count);
      }
      ++depth;
      first = near;
      count = near_count;
    } else if (far_splits) {
      first = far;
      count = far_count;
    } else {
      if (depth == 0u) break;
      --depth;
      const uint next = alone ? waiting_alone[stack + depth] : waiting[depth];
      first = next >> 16;
      count = next & 0xFFFFu;
    }
  }
}

void sort_sequentially(uint first, uint count) {
  for (uint i = first + 1u; i < first + count; ++i) {
    const uvec2 key = keys[i];
    uint hole = i;
    for (; hole > first && key_less(key, keys[hole - 1u]); --hole) keys[hole] = keys[hole - 1u];
    keys[hole] = key;
  }
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint row = gl_WorkGroupID.y;
  const uint part = gl_WorkGroupID.z * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint parts = p.rows.columns / PART + uint(p.rows.columns % PART != 0u);
  if (part >= parts) return;
  const uint first = part * PART;
  const uint count = min(PART, p.rows.columns - first);
  FloatsIn values = FloatsIn(advance(advance_elements(p.rows.values, row, p.rows.row_stride), first, 4u));
  for (uint i = thread; i < count; i += WORKGROUP_SIZE)
    keys[i] = uvec2(distance_key(values.values[i], LARGEST_FIRST), first + i);
  if (thread == 0u) {
    short_count = 0u;
    middle_count = 0u;
    sides[0] = 0u;
  }
  barrier();
  if (long_enough(0u, count, false, thread == 0u)) sort_sequence(0u, count, false);
  barrier();
  const uint middle = middle_count;
  for (uint i = gl_SubgroupID; i < middle; i += gl_NumSubgroups)
    sort_sequence(middles[i] >> 16, middles[i] & 0xFFFFu, true);
  barrier();
  for (uint i = thread; i < short_count; i += WORKGROUP_SIZE)
    sort_sequentially(shorts[i] >> 16, shorts[i] & 0xFFFFu);
  barrier();

  if (is_null(p.target)) {
    for (uint i = thread; i < p.result.k; i += WORKGROUP_SIZE)
      write_selected(p.result, p.rows, row, i, i < count ? keys[i] : no_row, LARGEST_FIRST);
    return;
  }
  Keys target = Keys(advance(advance_keys(p.target, row, p.rows.columns), first, 8u));
  for (uint i = thread; i < min(count, p.result.k); i += WORKGROUP_SIZE)
    target.values[i] = keys[i].yx;
}
