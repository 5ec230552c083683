// Where the matches of one query lie (proxel/passes/range_offsets.h).
#ifndef PROXEL_MATCHES_GLSL
#define PROXEL_MATCHES_GLSL
#include "address.glsl"

// 64-bit numbers are uvec2(low, high), as they lie in memory.
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Numbers { uvec2 values[]; };

bool number_less(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }

uvec2 number_sum(uvec2 a, uvec2 b) {
  uint carry;
  const uint low = uaddCarry(a.x, b.x, carry);
  return uvec2(low, a.y + b.y + carry);
}

// base + 4 * number
uvec2 advance_number(uvec2 base, uvec2 number) {
  return number_sum(base, uvec2(number.x << 2, number.y << 2 | number.x >> 30));
}

// The number of a query's matches, and the offset of the first; 0 where they do
// not all lie below the capacity. No query has more than 2^32-2.
uint find_matches(uvec2 offsets, uint query, uvec2 capacity, out uvec2 first) {
  Numbers of_query = Numbers(advance(offsets, query, 8u));
  first = of_query.values[0];
  const uvec2 end = of_query.values[1];
  return number_less(capacity, end) ? 0u : end.x - first.x;
}

#endif
