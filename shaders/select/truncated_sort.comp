#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/truncated_sort.h"
PROXEL_TRUNCATED_SORT_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "order.glsl"
#include "workgroup.glsl"

#include "selection_rows.glsl"

layout(push_constant, std430) uniform Push { TruncatedSortParameters p; };

shared uvec2 keys[truncated_tile];

void put_in_order(uint low, uint stride, bool ascending) {
  const uvec2 a = keys[low];
  const uvec2 b = keys[low + stride];
  if (key_less(b, a) == ascending) {
    keys[low] = b;
    keys[low + stride] = a;
  }
}

// One bitonic merge, of `run` keys at a time, at every multiple of `pitch`; every second one comes out descending.
void merge_bitonic(uint run, uint pitch) {
  const uint pairs = truncated_tile / pitch * (run / 2u);
  for (uint stride = run / 2u; stride != 0u; stride >>= 1) {
    for (uint i = gl_LocalInvocationID.x; i < pairs; i += WORKGROUP_SIZE) {
      const uint place = i % (run / 2u);
      const uint which = i / (run / 2u);
      put_in_order(which * pitch + 2u * place - (place & (stride - 1u)), stride, (which & 1u) == 0u);
    }
    barrier();
  }
}

// The place in the source of a place in the tile: every second list is turned round.
uint source_place(uint i) {
  const uint within = i % p.list;
  return (i / p.list & 1u) == 0u ? i : i - within + (p.list - 1u - within);
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint row = gl_WorkGroupID.y;
  const uint tiles = (p.count - 1u) / truncated_tile + 1u;
  const uint tile = gl_WorkGroupID.z * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  if (tile >= tiles) return;
  const uint first = tile * truncated_tile;
  const uint count = min(truncated_tile, p.count - first);
  if (is_null(p.source)) {
    FloatsIn values = FloatsIn(advance(advance_elements(p.rows.values, row, p.rows.row_stride), first, 4u));
    for (uint i = thread; i < truncated_tile; i += WORKGROUP_SIZE)
      keys[i] = i < count ? uvec2(distance_key(values.values[i], LARGEST_FIRST), first + i) : no_row;
    barrier();
    for (uint run = 2u; run <= p.list; run <<= 1) merge_bitonic(run, run);
  } else {
    Keys source = Keys(advance(advance_keys(p.source, row, p.count), first, 8u));
    for (uint i = thread; i < truncated_tile; i += WORKGROUP_SIZE) {
      const uint from = source_place(i);
      keys[i] = from < count ? source.values[from].yx : no_row;
    }
    barrier();
  }
  for (uint pitch = p.list; pitch < truncated_tile; pitch *= 2u) {
    const uint kept = truncated_tile / (2u * pitch) * p.list;
    for (uint i = thread; i < kept; i += WORKGROUP_SIZE) {
      const uint place = i / p.list * 2u * pitch + i % p.list;
      keys[place] = key_min(keys[place], keys[place + pitch]);
    }
    barrier();
    merge_bitonic(p.list, 2u * pitch);
  }
  if (is_null(p.target)) {
    for (uint slot = thread; slot < p.result.k; slot += WORKGROUP_SIZE) {
      if (slot < p.list) write_selected(p.result, p.rows, row, slot, keys[slot], LARGEST_FIRST);
      else write_padding(p.result, row, slot, LARGEST_FIRST);
    }
    return;
  }
  Keys target = Keys(advance_keys(advance_keys(p.target, row, tiles * p.list), tile, p.list));
  for (uint i = thread; i < p.list; i += WORKGROUP_SIZE) target.values[i] = keys[i].yx;
}
