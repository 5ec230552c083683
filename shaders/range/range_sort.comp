#version 460
#extension GL_GOOGLE_include_directive : require
#include "matches.glsl"
#include "order.glsl"
#include "workgroup.glsl"
#include "proxel/passes/range_sort.h"

layout(push_constant, std430) uniform Push { RangeSortParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint values[]; };

shared uvec2 run[range_run];

Words indices;
Words distance_keys;
uint count;

uvec2 match(uint i) { return uvec2(distance_keys.values[i], indices.values[i]); }

// Compares element `low` of the run with `high`, which is past it.
void exchange_in_run(uint low, uint high) {
  const uvec2 a = run[low];
  const uvec2 b = run[high];
  if (key_less(b, a)) {
    run[low] = b;
    run[high] = a;
  }
}

// Steps of falling distance that make halves of 2^merged_log2, each sorted or
// bitonic, ascending; the first counts from the end where from_the_end is set.
void merge_in_run(uint size, uint merged_log2, bool from_the_end) {
  for (uint log2 = merged_log2; log2-- > 0u;) {
    const uint distance = 1u << log2;
    const bool turned = from_the_end && log2 + 1u == merged_log2;
    for (uint i = gl_LocalInvocationID.x; i < size / 2u; i += WORKGROUP_SIZE) {
      const uint start = (i >> log2) << (log2 + 1u);
      const uint offset = i & (distance - 1u);
      exchange_in_run(start + offset, turned ? start + 2u * distance - 1u - offset
                                             : start + offset + distance);
    }
    barrier();
  }
}

void sort_runs() {
  const uint runs = (count - 1u) / range_run + 1u;
  for (uint r = gl_WorkGroupID.x; r < runs; r += gl_NumWorkGroups.x) {
    const uint first = r * range_run;
    const uint held = min(range_run, count - first);
    // The smallest power of two that holds all.
    uint size = range_run;
    uint size_log2 = range_run_log2;
    while (p.merged_log2 == 0u && size > 2u && size / 2u >= held) {
      size /= 2u;
      --size_log2;
    }
    for (uint i = gl_LocalInvocationID.x; i < size; i += WORKGROUP_SIZE) {
      run[i] = no_row;
      if (i < held) run[i] = match(first + i);
    }
    barrier();
    if (p.merged_log2 == 0u)
      for (uint merged_log2 = 1u; merged_log2 <= size_log2; ++merged_log2)
        merge_in_run(size, merged_log2, true);
    else
      merge_in_run(size, size_log2, false);
    for (uint i = gl_LocalInvocationID.x; i < held; i += WORKGROUP_SIZE) {
      distance_keys.values[first + i] = run[i].x;
      indices.values[first + i] = run[i].y;
    }
    barrier();
  }
}

// One step of a distance that is longer than a run.
void exchange_far() {
  const uint distance = 1u << p.distance_log2;
  const bool turned = p.distance_log2 + 1u == p.merged_log2;
  const uint pairs = (((count - 1u) >> p.distance_log2) / 2u + 1u) << p.distance_log2;
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  for (uint i = gl_GlobalInvocationID.x; i < pairs; i += stride) {
    const uint start = (i >> p.distance_log2) * 2u << p.distance_log2;
    const uint offset = i & (distance - 1u);
    const uint low = start + offset;
    const uint up = turned ? 2u * distance - 1u - offset : offset + distance;
    // start + up may pass 2^32.
    if (start >= count || up >= count - start) continue;
    const uint high = start + up;
    const uvec2 a = match(low);
    const uvec2 b = match(high);
    if (key_less(b, a)) {
      distance_keys.values[low] = b.x;
      indices.values[low] = b.y;
      distance_keys.values[high] = a.x;
      indices.values[high] = a.y;
    }
  }
}

void main() {
  uvec2 first;
  count = find_matches(p.offsets, gl_WorkGroupID.y, p.capacity, first);
  if (count == 0u || (p.merged_log2 != 0u && count <= 1u << (p.merged_log2 - 1u))) return;
  indices = Words(advance_number(p.indices, first));
  distance_keys = Words(advance_number(p.distance_keys, first));
  if (p.merged_log2 == 0u || p.distance_log2 + 1u == range_run_log2)
    sort_runs();
  else
    exchange_far();
}
