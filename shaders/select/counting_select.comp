#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/counting_select.h"
PROXEL_COUNTING_SELECT_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "sums.glsl"

layout(push_constant, std430) uniform Push { CountingSelectParameters p; };

const uint NUMBERS = 16u / NUMBER_BYTES;  // of a vector

shared uint counters[COUNTERS];
shared uint found_range;
shared uint found_before;

uint number_of(uvec4 vector, uint i) {
  if (NUMBER_BYTES == 4u) return vector[i];
  return bitfieldExtract(vector[i / 2u], int(16u * (i % 2u)), 16);
}

void main() {
  const uint thread = place_in_order();
  const uint row = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  if (row >= p.rows) return;
  Uint4sIn vectors = Uint4sIn(advance_elements(p.numbers, row, p.row_stride / (4u / NUMBER_BYTES)));
  const uint count = (p.columns - 1u) / NUMBERS + 1u;

  // The k-th smallest is among low … low + span, as the wanted-th of those.
  uint low = 0u;
  uint span = p.largest;
  uint wanted = p.k;
  for (;;) {
    uint shift = 0u;
    while (span >> shift >= COUNTERS) ++shift;
    const uint ranges = (span >> shift) + 1u;
    for (uint i = thread; i < ranges; i += WORKGROUP_SIZE) counters[i] = 0u;
    barrier();
    for (uint v = thread; v < count; v += WORKGROUP_SIZE) {
      const uvec4 vector = vectors.values[v];
      const uint left = p.columns - v * NUMBERS;
      [[unroll]] for (uint i = 0u; i < NUMBERS; ++i) {
        const uint above = number_of(vector, i) - low;
        if (above <= span && i < left) atomicAdd(counters[above >> shift], 1u);
      }
    }
    barrier();
    const uint each = (ranges - 1u) / WORKGROUP_SIZE + 1u;
    const uint first = thread * each;
    uint mine = 0u;
    for (uint i = first; i < min(first + each, ranges); ++i) mine += counters[i];
    uint before = sums_of(mine, 0u).x;
    if (before < wanted && wanted - before <= mine) {
      uint range = first;
      while (wanted - before > counters[range]) before += counters[range++];
      found_range = range;
      found_before = before;
    }
    barrier();
    low += found_range << shift;
    wanted -= found_before;
    if (shift == 0u) break;
    span = (1u << shift) - 1u;
  }

  // Of the numbers equal to `low` the first `wanted` are taken.
  UintsOut found = UintsOut(advance_elements(p.columns_found, row, p.found_stride));
  uint below = 0u;  // numbers so far
  uint equal = 0u;
  uint turn = 0u;
  for (uint base = 0u; base < count && below + min(equal, wanted) < p.k; base += WORKGROUP_SIZE) {
    const uint v = base + thread;
    uint smaller = 0u;  // a bit for each number
    uint same = 0u;
    if (v < count) {
      const uvec4 vector = vectors.values[v];
      const uint left = p.columns - v * NUMBERS;
      [[unroll]] for (uint i = 0u; i < NUMBERS; ++i) {
        const uint number = number_of(vector, i);
        smaller |= uint(number < low && i < left) << i;
        same |= uint(number == low && i < left) << i;
      }
    }
    const uvec2 sums = sums_of(bitCount(smaller) | bitCount(same) << 16, turn);
    turn = 1u - turn;  // its sums are read until the next barrier
    uint below_here = below + (sums.x & 0xFFFFu);
    uint equal_here = equal + (sums.x >> 16);
    for (uint left = smaller | same; left != 0u; left &= left - 1u) {
      const uint i = uint(findLSB(left));
      const bool is_smaller = (smaller >> i & 1u) != 0u;
      if (is_smaller || equal_here < wanted)
        found.values[below_here + min(equal_here, wanted)] = v * NUMBERS + i;
      if (is_smaller) ++below_here; else ++equal_here;
    }
    below += sums.y & 0xFFFFu;
    equal += sums.y >> 16;
  }
}
