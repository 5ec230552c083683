#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/scan_undecided.h"
PROXEL_SCAN_UNDECIDED_CONSTANTS(PROXEL_SPECIALISED)
#include "undecided.glsl"
#include "after.glsl"
#include "proxel/passes/scan_select.h"

#include "merge.glsl"
#include "canonical_row.glsl"
#include "decode.glsl"
#include "filter.glsl"

layout(push_constant, std430) uniform Push { ScanUndecidedParameters p; };

const uint step_rows = scan_tiles_per_step * tile_rows;
// Rows that a filter allows wait until there is one for each invocation.
shared uint waiting;
shared uint waiting_rows[WORKGROUP_SIZE + step_rows];
// Of the steps that come next, in which any row may be allowed.
shared uint wanted_steps[(WORKGROUP_SIZE + 31u) / 32u];

bool in_rounds() { return p.k < p.result_stride; }

// Writes what the pool holds, the results of a query.
void write_results(uint served, uint query) {
  if (in_rounds() && gl_LocalInvocationID.x == 0u) Keys(p.found).values[served] = pool[p.k - 1u].yx;
  UintsOut indices = UintsOut(advance(advance_elements(p.indices, query, p.result_stride), p.first_rank, 4u));
  FloatsOut distances = FloatsOut(advance(advance_elements(p.distances, query, p.result_stride), p.first_rank, 4u));
  for (uint i = gl_LocalInvocationID.x; i < p.k; i += WORKGROUP_SIZE) {
    indices.values[i] = pool[i].y;
    distances.values[i] = decoded_distance(pool[i], LARGEST_FIRST, p.finish);
  }
}

// The key of a row, where one is given and all keys at or below `after` have been found.
uvec2 key_of(bool given, uint row, FloatsIn query, uvec2 after) {
  uvec2 key = no_row;
  if (given) key = uvec2(sum_key(canonical_row(query, p.rows, row, p.dimensions)), p.first_index + row);
  return p.first_rank != 0u && !key_less(after, key) ? no_row : key;
}

// Whether any row of a step, which may be behind the last, may be allowed. Looks at whole words.
bool wants_step(uvec2 filter_bits, uint step) {
  if (step > (p.rows.count - 1u) / step_rows) return false;
  const uint first = step * step_rows, last = min(first + (step_rows - 1u), p.rows.count - 1u);
  const uint last_word = (p.first_index + last) / 32u;
  uint bits = 0u;
  for (uint word = (p.first_index + first) / 32u; word <= last_word; ++word)
    bits |= UintsIn(filter_bits).values[min(word, last_word)];
  return bits != 0u;
}

// Each invocation looks at four rows of the step.
void add_allowed(uvec2 filter_bits, uint step) {
  const uint row = step * step_rows + 4u * gl_LocalInvocationID.x;
  if (row >= p.rows.count) return;
  const uint left = p.rows.count - row;
  uint bits = four_rows_allowed(filter_bits, p.first_index + row, p.first_index + (p.rows.count - 1u));
  if (left < 4u) bits &= (1u << left) - 1u;
  uint place = bits == 0u ? 0u : atomicAdd(waiting, uint(bitCount(bits)));
  for (; bits != 0u; bits &= bits - 1u) waiting_rows[place++] = row + uint(findLSB(bits));
}

// Offers of the rows that wait as many as there are for all invocations.
void offer_waiting(FloatsIn query, uvec2 after) {
  uint left = waiting;
  while (left >= WORKGROUP_SIZE) {
    const uint taken = min(left / WORKGROUP_SIZE, 4u) * WORKGROUP_SIZE;
    left -= taken;
    uvec2 keys[4];
    [[unroll]] for (uint j = 0u; j < 4u; ++j) {
      const uint i = j * WORKGROUP_SIZE + gl_LocalInvocationID.x;
      keys[j] = key_of(i < taken, waiting_rows[left + min(i, taken - 1u)], query, after);
    }
    select_offer(keys);
  }
  barrier();
  if (gl_LocalInvocationID.x == 0u) waiting = left;
  barrier();
}

// Offers what a filter allows of every so many steps.
void offer_allowed(uvec2 filter_bits, uint group, uint groups, FloatsIn query, uvec2 after) {
  if (gl_LocalInvocationID.x == 0u) waiting = 0u;
  const uint steps = (p.rows.count - 1u) / step_rows + 1u;
  // Each invocation looks whether one of the steps that come next is worth it.
  for (uint next = group; next < steps; next += groups * WORKGROUP_SIZE) {
    if (gl_LocalInvocationID.x < wanted_steps.length()) wanted_steps[gl_LocalInvocationID.x] = 0u;
    barrier();
    if (wants_step(filter_bits, next + groups * gl_LocalInvocationID.x))
      atomicOr(wanted_steps[gl_LocalInvocationID.x / 32u], 1u << gl_LocalInvocationID.x % 32u);
    barrier();
    for (uint word = 0u; word < wanted_steps.length(); ++word)
      for (uint left = wanted_steps[word]; left != 0u; left &= left - 1u) {
        add_allowed(filter_bits, next + groups * (32u * word + uint(findLSB(left))));
        barrier();
        offer_waiting(query, after);
      }
    barrier();
  }
  uvec2 keys[4] = {no_row, no_row, no_row, no_row};
  keys[0] = key_of(gl_LocalInvocationID.x < waiting, waiting_rows[gl_LocalInvocationID.x], query, after);
  select_offer(keys);
}

void offer_rows(uint group, uint groups, FloatsIn query, uvec2 after) {
  const uint steps = (p.rows.count - 1u) / step_rows + 1u;
  for (uint step = group; step < steps; step += groups) {
    uvec2 keys[4];
    [[unroll]] for (uint j = 0u; j < 4u; ++j) {
      const uint row = step * step_rows + j * WORKGROUP_SIZE + gl_LocalInvocationID.x;
      keys[j] = key_of(row < p.rows.count, row, query, after);
    }
    select_offer(keys);
  }
}

void main() {
  const uvec2 numbers = advance(p.tickets, (p.lists + 3u) / 4u, 16u);
  const UndecidedQueries undecided = undecided_of(numbers, p.few, p.most_few, p.first_undecided, p.lists);
  if (!is_null(p.told) && gl_WorkGroupID.x == 0u && gl_LocalInvocationID.x == 0u) {
    UintsOut told = UintsOut(p.told);
    const bool few = !is_null(p.few);
    told.values[0] = few ? UintsIn(undecided.few).values[0] : 0u;
    told.values[1] = UintsIn(numbers).values[0];
    told.values[2] = few ? UintsIn(undecided.few).values[1] : 0u;
  }
  const uint count = undecided.count;
  const uvec2 lists = advance(p.found, in_rounds() ? p.lists : 0u, 8u);
  const uint groups = max(min(p.lists / max(count, 1u), p.rows.count / step_rows), 1u);
  for (uint pair = gl_WorkGroupID.x; pair < count * groups; pair += gl_NumWorkGroups.x) {
    const uint served = pair / groups, number = undecided_query(undecided, served);
    FloatsIn query = FloatsIn(advance_elements(p.queries, number, p.dimensions));
    const uvec2 filter_bits = advance_elements(p.filter_bits, number, p.filter_stride);
    const uvec2 after = key_after(p.found, min(served, max(count, 1u) - 1u), 1u, numbers);
    select_begin(p.k);
    if (is_null(p.filter_bits))
      offer_rows(pair % groups, groups, query, after);
    else
      offer_allowed(filter_bits, pair % groups, groups, query, after);
    select_finish();
    bool last = true;
    if (groups > 1u) {
      CoherentKeys list = CoherentKeys(advance(lists, pair, 8u * p.k));
      for (uint i = gl_LocalInvocationID.x; i < p.k; i += WORKGROUP_SIZE) list.values[i] = pool[i].yx;
      last = arrives_last(p.tickets, served, groups);
      if (last) merge_lists(lists, served * groups, groups, p.k);
    }
    if (last) write_results(served, number);
    barrier();
  }
}
