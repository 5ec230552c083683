// The rows that a search may return: bit i % 32 of word i / 32 is row i
// (proxel/passes/types.h). Addresses are of one query's words.
#ifndef PROXEL_FILTER_GLSL
#define PROXEL_FILTER_GLSL
#include "address.glsl"

// A stride of 0 is one filter for all queries.
uvec2 filter_of_query(uvec2 filter_address, uint query, uint stride) {
  return advance_elements(filter_address, query, stride);
}

bool row_allowed(uvec2 words, uint row) {
  return ((UintsIn(words).values[row / 32u] >> (row % 32u)) & 1u) != 0u;
}

// Bits 0 … 3 tell of rows first … first + 3. Words past the one that holds row
// `last`, which is at least `first`, are not read; bits past it mean nothing.
uint four_rows_allowed(uvec2 words, uint first, uint last) {
  const uint shift = first % 32u;
  uint bits = UintsIn(words).values[first / 32u] >> shift;
  if (shift > 28u)
    bits |= UintsIn(words).values[(first + min(3u, last - first)) / 32u] << (32u - shift);
  return bits & 15u;
}

#endif
