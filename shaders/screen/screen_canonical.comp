#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/screen_canonical.h"
PROXEL_SCREEN_CANONICAL_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "selected.glsl"
#include "filter.glsl"

layout(push_constant, std430) uniform Push { ScreenCanonicalParameters p; };

#define PROXEL_QUERY_NUMBER(slot) selected_query(p.selected, p.first_selected, slot)
#include "tile_product.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Uints { uint values[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer Found { uvec2 values[]; };

const float no_score = -1.0 / 0.0;
shared float thresholds[TILE];
shared uint list_counts[TILE];
uint first_slot;
uint slots;

uvec2 count_of(uint local) {
  return advance_elements(p.counts, first_slot + local, p.splits);
}

// The filter of the query of a slot below `slots`; words of anything where there is none.
uvec2 filter_of(uint slot) {
  const bool given = !is_null(p.filter_bits);
  const uint query = selected_query(p.selected, p.first_selected, min(slot, slots - 1u));
  return readable(given, filter_of_query(p.filter_bits, query, p.filter_stride), p.queries);
}
// Bits 0 … 3 tell of rows first … first + 3, of which those below `end` are there, the first among them.
uint four_allowed(uvec2 words, uint first, uint end) {
  const bool given = !is_null(p.filter_bits);
  const uint bits = four_rows_allowed(words, given ? p.first_index + first : 0u, given ? p.first_index + end - 1u : 0u);
  return given ? bits : 15u;
}

// NaN has no score.
float score_of(float distance) {
  if ((floatBitsToUint(distance) & 0x7FFFFFFFu) > 0x7F800000u) return no_score;
  return LARGEST_FIRST ? distance : -distance;
}

void write_groups(uint line, uint column, uint place, uint row, uint left) {
  [[unroll]] for (uint j = 0u; j < 8u; ++j) {
    const uint slot = first_slot + tile_offset(line, j);
    const uvec2 words = filter_of(slot);
    float best = no_score;
    [[unroll]] for (uint h = 0u; h < 2u; ++h) {
      const uint position = tile_offset(column, 4u * h);
      if (position >= left) continue;
      const uint allowed = four_allowed(words, row + position, row + left);
      [[unroll]] for (uint c = 0u; c < 4u; ++c)
        if (position + c < left && (allowed >> c & 1u) != 0u)
          best = max(best, score_of(accumulators[2u * j + h][c]));
    }
    if (slot < slots)
      FloatsOut(advance_elements(p.found, slot, p.tile_count * screen_canonical_groups))
          .values[place * screen_canonical_groups + column] = best;
  }
}

// One of an invocation's 64 scores. An array that is indexed by a variable would be moved out of registers.
float accumulated(uint element) {
  vec4 four = accumulators[0];
  [[unroll]] for (uint i = 1u; i < 16u; ++i)
    if (element / 4u == i) four = accumulators[i];
  const vec2 two = (element & 2u) != 0u ? four.zw : four.xy;
  return (element & 1u) != 0u ? two.y : two.x;
}

// Few scores pass: what is done with those that do is written once and not for each, which compilers take long for.
void append_rows(uint line, uint column, uint row, uint left) {
  uint exists = 0u;
  [[unroll]] for (uint position = 0u; position < 8u; ++position)
    exists |= uint(tile_offset(column, position) < left) << position;
  uvec2 passing = uvec2(0u);
  [[unroll]] for (uint j = 0u; j < 8u; ++j) {
    const uint local = tile_offset(line, j);
    const float threshold = thresholds[local];
    uint bits = 0u;
    [[unroll]] for (uint position = 0u; position < 8u; ++position) {
      const float score = score_of(accumulators[2u * j + position / 4u][position % 4u]);
      bits |= uint(score != no_score && score >= threshold) << position;
    }
    if (first_slot + local < slots) passing[j / 4u] |= (bits & exists) << (j % 4u * 8u);
  }
  [[dont_unroll]] while (passing != uvec2(0u)) {
    const bool upper = passing.x == 0u;
    const uint bit = findLSB(upper ? passing.y : passing.x);
    if (upper)
      passing.y &= passing.y - 1u;
    else
      passing.x &= passing.x - 1u;
    const uint element = bit + (upper ? 32u : 0u);
    const uint local = tile_offset(line, element / 8u);
    const uint position = tile_offset(column, element % 8u);
    if ((four_allowed(filter_of(first_slot + local), row + position, row + left) & 1u) == 0u) continue;
    const uint at = atomicAdd(list_counts[local], 1u);
    if (at < p.capacity)
      Found(advance_keys(p.found, (first_slot + local) * p.splits + gl_WorkGroupID.x, p.capacity)).values[at] =
          uvec2(floatBitsToUint(score_of(accumulated(element))), p.first_index + row + position);
  }
}

void serve(uint thread) {
  const uint column = thread % WIDTH;
  const uint line = thread / WIDTH;
  if (COLLECTS != 0u && thread < TILE) {
    const bool exists = first_slot + thread < slots;
    thresholds[thread] =
        exists ? FloatsIn(advance(p.thresholds, first_slot + thread, 4u)).values[0] : 0.0;
    list_counts[thread] = exists ? Uints(count_of(thread)).values[gl_WorkGroupID.x] : 0u;
  }
  barrier();
  for (uint i = gl_WorkGroupID.x; i < p.tile_count; i += p.splits) {
    const uint row = (p.first_tile + p.tile_step * i) * tile_rows;
    accumulate_tile(p.rows, row, p.rows.count, p.queries, p.query_stride, first_slot, slots,
                    p.dimensions);
    if (COLLECTS != 0u)
      append_rows(line, column, row, p.rows.count - row);
    else
      write_groups(line, column, i, row, p.rows.count - row);
  }
  barrier();
  if (COLLECTS != 0u && thread < TILE && first_slot + thread < slots)
    Uints(count_of(thread)).values[gl_WorkGroupID.x] = list_counts[thread];
}

void main() {
  slots = selected_count(p.selected, p.first_selected, p.slots, p.queries);
  for (first_slot = gl_WorkGroupID.y * TILE; first_slot < slots;
       first_slot += gl_NumWorkGroups.y * TILE) {
    serve(gl_LocalInvocationID.x);
    barrier();
  }
}
