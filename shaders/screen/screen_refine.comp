#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/screen_refine.h"
PROXEL_SCREEN_REFINE_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "screen_bounds.glsl"
#include "selected.glsl"

#define PROXEL_POOL_LENGTH LIST_LENGTH
#include "block_select.glsl"
#include "screened_row.glsl"
#include "decode.glsl"

layout(push_constant, std430) uniform Push { ScreenRefineParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Uints { uint values[]; };
#include "collected.glsl"

FloatsIn query_values;

// Where an invocation is in the lists that it has a share of.
struct Place {
  uint lanes, split, i, count;
};
Place first_place(UintsIn counts, uint lanes) {
  const uint thread = gl_LocalInvocationID.x;
  const uint split = thread / lanes;
  return Place(lanes, split, thread % lanes, split < p.splits ? counts.values[split] : 0u);
}
// Whether there is a row, at this place or the next one that has any.
bool has_row(inout Place place, UintsIn counts) {
  while (place.split < p.splits && place.i >= place.count) {
    place.split += WORKGROUP_SIZE / place.lanes;
    place.i = gl_LocalInvocationID.x % place.lanes;
    place.count = place.split < p.splits ? counts.values[place.split] : 0u;
  }
  return place.split < p.splits;
}

shared uint numbered;

// What is known of a collected row: three words each, where all of them fit here. Where they do not, the lists are read each time.
struct Candidate {
  uint lower;   // distance_key of the score less its error
  float upper;  // the score and its error
  uint row;
};
const uint HELD_ROOM = POOL_ROWS == 0u ? 1u : POOL_ROWS;
// Later rows of survivors.
const uint HELD_WORDS = 3u * HELD_ROOM < screen_staged_words ? screen_staged_words : 3u * HELD_ROOM;
shared uint held[HELD_WORDS];

Candidate candidate_of(uvec2 entry, float error) {
  const float score = uintBitsToFloat(entry.x);
  // Rows that have no score are no candidates, whatever the error.
  return Candidate(distance_key(score - error, true), score == -infinity ? score : score + error, entry.y);
}
Candidate listed_candidate(Place place) {
  const uvec2 entry = list_of(place.split).values[place.i];
  return candidate_of(entry, error_of(entry.y));
}

// The smallest and the largest `lower` of this invocation's.
uint own_low, own_high;
void note_range(Candidate candidate) {
  own_low = min(own_low, candidate.lower);
  own_high = max(own_high, candidate.lower);
}

void hold_candidate(uint number, Candidate candidate) {
  note_range(candidate);
  held[3u * number] = candidate.lower;
  held[3u * number + 1u] = floatBitsToUint(candidate.upper);
  held[3u * number + 2u] = candidate.row;
}

// Leaves in `held` where each candidate of many lists is, reading no more than the lengths of lists.
void hold_places(UintsIn counts) {
  const uint thread = gl_LocalInvocationID.x;
  if (thread == 0u) numbered = 0u;
  barrier();
  const uint together = 4u;
  uint own = 0u;
  for (uint split = thread; split < p.splits; split += together * WORKGROUP_SIZE)
    [[unroll]] for (uint j = 0u; j < together; ++j) {
      const uint count = counts.values[min(split + j * WORKGROUP_SIZE, p.splits - 1u)];
      own += split + j * WORKGROUP_SIZE < p.splits ? count : 0u;
    }
  uint next = atomicAdd(numbered, own);
  for (uint split = thread; split < p.splits; split += WORKGROUP_SIZE) {
    const uint count = counts.values[split];
    for (uint i = 0u; i < count; ++i) held[3u * next++] = split * p.capacity + i;
  }
  barrier();
}

// Brings candidates number … number + count - 1 together. An invocation asks for four before it uses the first.
// @param placed  where they are is in `held`; otherwise they are from `place` on
void hold_some(uint number, uint count, bool placed, uint place) {
  const uint together = 4u;
  Found lists = list_of(0u);
  for (uint first = gl_LocalInvocationID.x; first < count; first += together * WORKGROUP_SIZE) {
    uvec2 found[together];
    vec4 tile_bounds[together];
    [[unroll]] for (uint j = 0u; j < together; ++j) {
      // Past the last this invocation's first is read again.
      const uint i = first + j * WORKGROUP_SIZE < count ? first + j * WORKGROUP_SIZE : first;
      found[j] = lists.values[placed ? held[3u * (number + i)] : place + i];
      tile_bounds[j] = vec4(0.0);
    }
    if (!is_null(p.row_bounds))
      [[unroll]] for (uint j = 0u; j < together; ++j)
        tile_bounds[j] = Float4sIn(advance(p.row_bounds, found[j].y / tile_rows, 16u)).values[0];
    [[unroll]] for (uint j = 0u; j < together; ++j)
      if (first + j * WORKGROUP_SIZE < count)
        hold_candidate(number + first + j * WORKGROUP_SIZE, candidate_of(found[j], error_in(tile_bounds[j])));
  }
}

// Brings all of them together.
void hold(UintsIn counts, uint collected) {
  if (p.splits > screen_few_lists) {
    hold_places(counts);
    hold_some(0u, collected, true, 0u);
  } else {
    uint number = 0u;
    for (uint split = 0u; split < p.splits; ++split) {
      const uint count = counts.values[split];
      hold_some(number, count, false, split * p.capacity);
      number += count;
    }
  }
  barrier();
}

// Where the candidates are: all of them here, or in the lists.
uint held_count;
UintsIn listed_counts;
uint listed_lanes;

uint own_keys_up_to(uint limit) {
  uint count = 0u;
  if (held_count != 0u)
    for (uint i = gl_LocalInvocationID.x; i < held_count; i += WORKGROUP_SIZE) count += held[3u * i] <= limit ? 1u : 0u;
  else
    for (Place place = first_place(listed_counts, listed_lanes); has_row(place, listed_counts); place.i += listed_lanes)
      count += listed_candidate(place).lower <= limit ? 1u : 0u;
  return count;
}

#include "select_key.glsl"

const uint UNDECIDED = 0xFFFFFFFFu;

void keep_row(uint row, float upper, float threshold) {
  // What has no score is left out whatever the threshold is, which an infinite error makes minus infinity.
  if (upper == -infinity || upper < threshold) return;
  const uint at = atomicAdd(pool_count, 1u);
  if (at < POOL) pool[at].y = row;
}

// Leaves the rows that may be among the k nearest in the pool; returns how
// many there are, which may be more than the pool holds, or UNDECIDED.
// @param few  fewer than k were collected: all of them
uint survivors(UintsIn counts, uint collected, bool few) {
  const uint lanes = list_lanes(int(collected));
  const bool fits = collected <= HELD_ROOM;
  own_low = 0xFFFFFFFFu;
  own_high = 0u;
  if (fits)
    hold(counts, collected);
  else
    for (Place place = first_place(counts, lanes); has_row(place, counts); place.i += lanes)
      note_range(listed_candidate(place));
  held_count = fits ? collected : 0u;
  listed_counts = counts;
  listed_lanes = lanes;
  float threshold = -largest_float;
  if (!few) {
    const float least = distance_of_key(select_key(p.k, p.k / 8u + 1u, own_low, own_high, collected), true);
    threshold = screening_threshold(bounds.slacks, least);
    if (!bears_out(bounds, threshold)) return UNDECIDED;
  }
  select_begin(p.k);
  if (fits)
    for (uint i = gl_LocalInvocationID.x; i < collected; i += WORKGROUP_SIZE)
      keep_row(held[3u * i + 2u], uintBitsToFloat(held[3u * i + 1u]), threshold);
  else
    for (Place place = first_place(counts, lanes); has_row(place, counts); place.i += lanes) {
      const Candidate candidate = listed_candidate(place);
      keep_row(candidate.row, candidate.upper, threshold);
    }
  barrier();
  return pool_count;
}

// Brings the keys of the pool in order, with no_row for what the k lack: few of them by counting, for each, those before it.
void order(uint count) {
  const uint most_counted = 128u, most_own = 4u, together = 4u;
  // Of each invocation, without code for more: few workgroups wait for every piece of code as well.
  const uint owned = (most_counted - 1u) / WORKGROUP_SIZE + 1u;
  if (count > min(most_counted, most_own * WORKGROUP_SIZE)) {
    select_finish();
    return;
  }
  const uint thread = gl_LocalInvocationID.x;
  uvec2 own[most_own];
  uint rank[most_own];
  [[unroll]] for (uint j = 0u; j < owned; ++j) {
    own[j] = no_row;
    rank[j] = 0u;
    if (thread + j * WORKGROUP_SIZE >= count) continue;
    own[j] = pool[thread + j * WORKGROUP_SIZE];
    for (uint first = 0u; first < count; first += together) {
      uvec2 others[together];
      [[unroll]] for (uint i = 0u; i < together; ++i) others[i] = first + i < count ? pool[first + i] : no_row;
      [[unroll]] for (uint i = 0u; i < together; ++i) rank[j] += key_less(others[i], own[j]) ? 1u : 0u;
    }
  }
  barrier();
  [[unroll]] for (uint j = 0u; j < owned; ++j)
    if (thread + j * WORKGROUP_SIZE < count) pool[rank[j]] = own[j];
  for (uint i = count + thread; i < p.k; i += WORKGROUP_SIZE) pool[i] = no_row;
  barrier();
}

uint staged_row(uint i) { return pool[i].y; }
void staged_distance(uint i, float distance) { pool[i].x = sum_key(distance); }
#define STAGED held
#define STAGED_WORDS HELD_WORDS
#include "staged_rows.glsl"

// Makes keys of the row numbers in the pool.
void evaluate(uint count) {
  // A row of fewer dimensions has so few lines that each invocation may read its own.
  const uint few_dimensions = 64u;
  if (ELEMENT == element_float32 && p.dimensions > few_dimensions && reads_fours(p.rows)) {
    evaluate_staged(query_values, p.rows, p.dimensions, count);
    return;
  }
  for (uint i = gl_LocalInvocationID.x; i < count; i += WORKGROUP_SIZE)
    pool[i].x = sum_key(screened_row(query_values, p.rows, pool[i].y, p.dimensions));
}

// Leaves the k nearest in the pool, or returns false.
bool refine() {
  UintsIn counts = UintsIn(advance_elements(p.counts, slot, p.splits));
  const int collected = collected_rows(counts);
  const bool few = collected < int(p.k);
  if (bounds.error.w == 0.0 || collected < 0 || (few && !is_bounded(bounds))) return false;
  const uint count = survivors(counts, uint(collected), few);
  if (count > POOL) return false;
  evaluate(count);
  barrier();
  order(count);
  // Where the k-th distance overflows, so may those of rows that were dropped.
  return few || is_finite(distance_of_key(pool[p.k - 1u].x, LARGEST_FIRST));
}

void serve(uint thread, uint count) {
  const uint query = selected_query_of_all(p.selected, p.first_selected, slot, count, p.queries);
  query_values = FloatsIn(advance_elements(p.queries, query, p.dimensions));
  bounds = query_bounds_at(p.query_bounds, slot, p.found);
  if (!refine()) {
    if (thread == 0u) {
      Uints undecided = Uints(p.undecided);
      undecided.values[4u + atomicAdd(undecided.values[0], 1u)] = p.first_query + query;
    }
    return;
  }
  UintsOut indices = UintsOut(advance_elements(p.indices, query, p.k));
  FloatsOut distances = FloatsOut(advance_elements(p.distances, query, p.k));
  for (uint i = thread; i < p.k; i += WORKGROUP_SIZE) {
    indices.values[i] = pool[i].y;
    distances.values[i] = decoded_distance(pool[i], LARGEST_FIRST, p.finish);
  }
}

void main() {
  const uint count = selected_count(p.selected, p.first_selected, p.query_count, p.queries);
  for (uint next = gl_WorkGroupID.x; next < count; next += gl_NumWorkGroups.x) {
    slot = min(next, max(count, 1u) - 1u);
    serve(gl_LocalInvocationID.x, count);
    barrier();
  }
}
