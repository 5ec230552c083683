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
// Rows that a filter allows wait until there is one for each invocation, of which each looks at a step of those that come next; where these have
// more rows than wait at most, they are taken one by one.
shared uint allowed_rows;
shared uint waiting;
shared uint waiting_rows[WORKGROUP_SIZE + step_rows];
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

// The bits of a word of a filter, of rows `first` … `last` alone.
uint bits_of(uvec2 filter_bits, uint word, uint first, uint last) {
  uint bits = UintsIn(filter_bits).values[word];
  if (word == first / 32u) bits &= 0xFFFFFFFFu << first % 32u;
  if (word == last / 32u) bits &= 0xFFFFFFFFu >> (31u - last % 32u);
  return bits;
}

// How many of `count` rows are allowed.
uint count_allowed(uvec2 filter_bits, uint row, uint count) {
  const uint first = p.first_index + row, last = first + (count - 1u);
  uint allowed = 0u;
  for (uint word = first / 32u; count != 0u && word <= last / 32u; ++word)
    allowed += uint(bitCount(bits_of(filter_bits, min(word, last / 32u), first, last)));
  return allowed;
}

void add_allowed(uvec2 filter_bits, uint row, uint count) {
  const uint first = p.first_index + row, last = first + (count - 1u);
  for (uint word = first / 32u; count != 0u && word <= last / 32u; ++word) {
    uint bits = bits_of(filter_bits, min(word, last / 32u), first, last);
    if (bits == 0u) continue;
    uint place = atomicAdd(waiting, uint(bitCount(bits)));
    for (; bits != 0u; bits &= bits - 1u) waiting_rows[place++] = 32u * word + uint(findLSB(bits)) - p.first_index;
  }
}

// Offers of the rows that wait as many as there are for all invocations.
void offer_waiting(FloatsIn query, uvec2 after) {
  barrier();
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
  if (gl_LocalInvocationID.x == 0u) {
    allowed_rows = 0u;
    waiting = left;
  }
  barrier();
}

// Offers what a filter allows of every so many steps.
void offer_allowed(uvec2 filter_bits, uint group, uint groups, FloatsIn query, uvec2 after) {
  if (gl_LocalInvocationID.x == 0u) allowed_rows = waiting = 0u;
  const uint steps = (p.rows.count - 1u) / step_rows + 1u;
  for (uint next = group; next < steps; next += groups * WORKGROUP_SIZE) {
    if (gl_LocalInvocationID.x < wanted_steps.length()) wanted_steps[gl_LocalInvocationID.x] = 0u;
    barrier();
    const uint ahead = next + groups * gl_LocalInvocationID.x, row = ahead * step_rows;
    const uint count = ahead < steps ? min(step_rows, p.rows.count - row) : 0u;
    const uint own = count_allowed(filter_bits, row, count);
    if (own != 0u) {
      atomicAdd(allowed_rows, own);
      atomicOr(wanted_steps[gl_LocalInvocationID.x / 32u], 1u << gl_LocalInvocationID.x % 32u);
    }
    barrier();
    if (allowed_rows <= step_rows) {
      add_allowed(filter_bits, row, count);
      offer_waiting(query, after);
      continue;
    }
    for (uint word = 0u; word < wanted_steps.length(); ++word)
      for (uint left = wanted_steps[word]; left != 0u; left &= left - 1u) {
        const uint step = next + groups * (32u * word + uint(findLSB(left)));
        const uint four = step * step_rows + 4u * gl_LocalInvocationID.x;
        add_allowed(filter_bits, four, four < p.rows.count ? min(4u, p.rows.count - four) : 0u);
        offer_waiting(query, after);
      }
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
