#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "proxel/passes/merge_sorted.h"
PROXEL_MERGE_SORTED_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "order.glsl"
#include "workgroup.glsl"

#include "selection_rows.glsl"

layout(push_constant, std430) uniform Push { MergeSortedParameters p; };

const uint TILE = merge_items * WORKGROUP_SIZE;

shared uvec2 keys[TILE];
shared uint splits[2];

// How many of the first `place` keys of the merged pair come from the left run.
// All invocations of a subgroup call it: each looks at another place of the path.
uint split_of(Keys left, uint lefts, Keys right, uint rights, uint place) {
  uint low = place - min(place, rights);
  uint high = min(place, lefts);
  while (low < high) {
    const uint step = (high - low) / (gl_SubgroupSize + 1u) + 1u;
    const uint probe = low + (gl_SubgroupInvocationID + 1u) * step - 1u;
    bool taken = false;
    if (probe < high)
      taken = key_less(left.values[probe].yx, right.values[place - 1u - probe].yx);
    const uint before = subgroupBallotBitCount(subgroupBallot(taken));
    high = min(high, low + (before + 1u) * step - 1u);
    low += before * step;
  }
  return low;
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint row = gl_WorkGroupID.y;
  const uint tile = gl_WorkGroupID.z * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint pair = tile / p.pair_tiles;
  const uint begin = tile % p.pair_tiles * TILE;
  // Where the pair begins may be beyond the row, and then beyond 2^32.
  uint above, first;
  umulExtended(pair * 2u, p.run, above, first);
  if (above != 0u || first >= p.rows.columns) return;
  const uint rest = p.rows.columns - first;
  const uint run = min(p.run, rest);
  const uint lefts = min(run, p.result.k);
  const uint rights = min(min(p.run, rest - run), p.result.k);
  const uint merged = min(lefts + rights, p.result.k);
  if (begin >= merged) return;
  const uint count = min(TILE, merged - begin);

  const uvec2 source = advance(advance_keys(p.source, row, p.rows.columns), first, 8u);
  Keys left = Keys(source);
  Keys right = Keys(advance(source, run, 8u));
  for (uint i = gl_SubgroupID; i < 2u; i += gl_NumSubgroups) {
    const uint split = split_of(left, lefts, right, rights, i == 0u ? begin : begin + count);
    if (subgroupElect()) splits[i] = split;
  }
  barrier();
  const uint first_left = splits[0];
  const uint own_lefts = splits[1] - first_left;
  const uint first_right = begin - first_left;
  [[unroll]] for (uint j = 0u; j < merge_items; ++j) {
    const uint i = j * WORKGROUP_SIZE + thread;
    if (i < own_lefts) keys[i] = left.values[first_left + i].yx;
    else if (i < count) keys[i] = right.values[first_right + i - own_lefts].yx;
  }
  barrier();

  const uint place = min(thread * merge_items, count);
  uint low = place - min(place, count - own_lefts);
  uint high = min(place, own_lefts);
  while (low < high) {
    const uint middle = (low + high) / 2u;
    if (key_less(keys[middle], keys[own_lefts + place - 1u - middle])) low = middle + 1u;
    else high = middle;
  }
  uint from_left = low;
  uint from_right = own_lefts + place - low;
  uvec2 own[merge_items];
  [[unroll]] for (uint j = 0u; j < merge_items; ++j) {
    const uvec2 a = from_left < own_lefts ? keys[from_left] : no_row;
    const uvec2 b = from_right < count ? keys[from_right] : no_row;
    const bool takes_left = key_less(a, b);
    own[j] = takes_left ? a : b;
    from_left += uint(takes_left);
    from_right += uint(!takes_left);
  }
  barrier();
  [[unroll]] for (uint j = 0u; j < merge_items; ++j)
    if (place + j < count) keys[place + j] = own[j];
  barrier();

  if (is_null(p.target)) {
    for (uint i = thread; i < count; i += WORKGROUP_SIZE)
      write_selected(p.result, p.rows, row, begin + i, keys[i], LARGEST_FIRST);
    if (tile == 0u)
      for (uint slot = p.rows.columns + thread; slot < p.result.k; slot += WORKGROUP_SIZE)
        write_padding(p.result, row, slot, LARGEST_FIRST);
    return;
  }
  Keys target = Keys(advance(advance_keys(p.target, row, p.rows.columns), first + begin, 8u));
  for (uint i = thread; i < count; i += WORKGROUP_SIZE) target.values[i] = keys[i].yx;
}
