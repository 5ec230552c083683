#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "proxel/passes/radix_scatter.h"
PROXEL_RADIX_SCATTER_CONSTANTS(PROXEL_SPECIALISED)
#include "radix.glsl"

#include "selection_rows.glsl"

layout(push_constant, std430) uniform Push { RadixScatterParameters p; };

// Keys of each digit, of each subgroup; then the places at which they begin.
shared uint places[SUBGROUPS][DIGITS];

// The invocations of the subgroup whose digit is the same, among the counted.
uvec4 lanes_with(uint digit) {
  uvec4 lanes = subgroupBallot(digit != not_counted);
  if (lanes == uvec4(0u)) return lanes;
  if (gl_SubgroupSize <= 32u) {
    uint few = lanes.x;
    [[unroll]] for (uint bit = 0u; bit < 8u; ++bit) {
      if (bit != 0u && p.digits == 2u) break;
      const bool set = (digit >> bit & 1u) != 0u;
      const uint with = subgroupBallot(set).x;
      few &= set ? with : ~with;
    }
    return uvec4(few, 0u, 0u, 0u);
  }
  [[unroll]] for (uint bit = 0u; bit < 8u; ++bit) {
    if (bit != 0u && p.digits == 2u) break;
    const bool set = (digit >> bit & 1u) != 0u;
    const uvec4 with = subgroupBallot(set);
    lanes &= set ? with : ~with;
  }
  return lanes;
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint row = gl_WorkGroupID.y;
  const uint tiles = tile_count(p.source);
  const uint tile = tile_of_workgroup();
  if (tile >= tiles) return;
  open_source(p.rows, p.source, row);
  for (uint d = thread; d < DIGITS; d += WORKGROUP_SIZE)
    for (uint i = 0u; i < SUBGROUPS; ++i) places[i][d] = 0u;

  // A subgroup's keys are neighbours, so that its earlier rounds come first.
  const uint first = gl_SubgroupID * gl_SubgroupSize * ITEMS + gl_SubgroupInvocationID;
  const uint count = min(TILE, p.source.count - tile * TILE);
  uvec2 keys[ITEMS];
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    keys[i] = no_row;
    if (first + i * gl_SubgroupSize < count)
      keys[i] = source_key(tile * TILE + first + i * gl_SubgroupSize, LARGEST_FIRST);
  }
  barrier();
  uint ranks[ITEMS];
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const uint digit = first + i * gl_SubgroupSize < count ? source_digit(keys[i]) : not_counted;
    const uvec4 lanes = lanes_with(digit);
    uint before = 0u;
    if (digit != not_counted) before = places[gl_SubgroupID][digit];
    const uint ahead = subgroupBallotExclusiveBitCount(lanes);
    ranks[i] = before + ahead;
    subgroupMemoryBarrierShared();
    subgroupBarrier();
    // The first of the lanes, found without subgroupBallotFindLSB: Mesa 22.3 compiles that of
    // 64 lanes for AMD to a number that is never written.
    if (digit != not_counted && ahead == 0u)
      places[gl_SubgroupID][digit] = before + subgroupBallotBitCount(lanes);
    subgroupMemoryBarrierShared();
    subgroupBarrier();
  }
  for (uint d = thread; d < DIGITS; d += WORKGROUP_SIZE)
    digit_sums[0][d] = d < p.digits ? UintsIn(advance_elements(p.totals, row, p.digits)).values[d] : 0u;
  barrier();

  // Where each subgroup's keys of each digit begin.
  const uint sums = sum_digits();
  const uvec2 of_row = advance(advance_elements(p.counts, row, p.digits * tiles), tile, 4u);
  for (uint d = thread; d < p.digits; d += WORKGROUP_SIZE) {
    uint place = UintsIn(advance_elements(of_row, d, tiles)).values[0];
    if (d != 0u) place += digit_sums[sums][d - 1u];
    for (uint i = 0u; i < SUBGROUPS; ++i) {
      const uint next = place + places[i][d];
      places[i][d] = place;
      place = next;
    }
  }
  barrier();

  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const uint digit = first + i * gl_SubgroupSize < count ? source_digit(keys[i]) : not_counted;
    if (digit == not_counted) continue;
    const uint slot = places[gl_SubgroupID][digit] + ranks[i];
    if (is_null(p.target)) {
      if (slot < p.source.k) write_selected(p.result, p.rows, row, slot, keys[i], LARGEST_FIRST);
    } else if (slot < p.target_stride) {
      Keys(advance(advance_keys(p.target, row, p.target_stride), slot, 8u)).values[0] = keys[i].yx;
    }
  }
  if (is_null(p.target) && tile == 0u)
    for (uint slot = p.source.k + thread; slot < p.result.k; slot += WORKGROUP_SIZE)
      write_padding(p.result, row, slot, LARGEST_FIRST);
}
