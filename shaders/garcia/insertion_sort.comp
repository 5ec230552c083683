#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/insertion_sort.h"

layout(push_constant, std430) uniform Push { InsertionSortParameters p; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word { uint value; };

// Rows that are read before the first of them is looked at.
const uint together = 8u;

uvec2 key_of_rank, index_of_rank;  // addresses of rank 0 of this invocation's query

Word key_at(uint rank) { return Word(advance_elements(key_of_rank, rank, p.rank_pitch)); }
Word index_at(uint rank) { return Word(advance_elements(index_of_rank, rank, p.rank_pitch)); }

void main() {
  const uint query = gl_GlobalInvocationID.x;
  if (query >= p.query_count) return;
  const uvec2 column = advance(p.keys, query, 4u);
  key_of_rank = advance(p.nearest_keys, query, 4u);
  const bool tracked = !is_null(p.nearest_indices);
  index_of_rank = advance(readable(tracked, p.nearest_indices, p.nearest_keys), query, 4u);
  uint held = min(p.rows_before, p.k);
  uint kth = held == p.k ? key_at(p.k - 1u).value : 0u;

  for (uint first = 0u; first < p.row_count; first += together) {
    uint keys[together];
    [[unroll]] for (uint j = 0u; j < together; ++j)
      keys[j] = UintsIn(advance_elements(column, min(first + j, p.row_count - 1u), p.row_pitch)).values[0];
    [[unroll]] for (uint j = 0u; j < together; ++j) {
      const uint key = keys[j];
      if (first + j >= p.row_count || (held == p.k && key >= kth)) continue;
      if (held < p.k) ++held;
      uint rank = held - 1u;
      for (; rank > 0u; --rank) {
        const uint before = key_at(rank - 1u).value;
        if (before <= key) break;
        key_at(rank).value = before;
        if (tracked) index_at(rank).value = index_at(rank - 1u).value;
      }
      key_at(rank).value = key;
      if (tracked) index_at(rank).value = p.first_index + first + j;
      if (held == p.k) kth = key_at(p.k - 1u).value;
    }
  }
}
