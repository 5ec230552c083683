#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/sample_select.h"
PROXEL_SAMPLE_SELECT_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "order.glsl"
#include "workgroup.glsl"
#define CHUNK_FOURS 4u
#include "row_chunk.glsl"
#include "sampled_four.glsl"
#include "selection_rows.glsl"
#include "runs.glsl"

#define COUNTING_BINS counting_bins
#include "kth_key_by_counting.glsl"

layout(push_constant, std430) uniform Push { SampleSelectParameters p; };

shared uint counts[most_sample_parts];
shared uint held;  // keys listed

// Counts this invocation's share of the sample of a row, of every `step` fours one (sample_bound.h).
void count_sample(uint step) {
  const uint sampled = fours_of_sample(row_vectors(), step);
  for (uint first = gl_LocalInvocationID.x; first < sampled; first += CHUNK_STEP) {
    uint fours[CHUNK_FOURS];
    [[unroll]] for (uint i = 0u; i < CHUNK_FOURS; ++i) {
      fours[i] = sampled_four(first + i * WORKGROUP_SIZE, sampled, step);
      chunk_bits[i] = read_vector(fours[i]);
    }
    [[unroll]] for (uint i = 0u; i < CHUNK_FOURS; ++i)
      [[unroll]] for (uint e = 0u; e < 4u; ++e)
        if (row_holds(fours[i], e))
          counting_keys_add(distance_key(uintBitsToFloat(chunk_bits[i][e]), LARGEST_FIRST), column_of(fours[i], e));
  }
}

// Lists the keys of the row up to the one that has the rank, or few more, in its sample; how many they are, of which those beyond the room
// are not listed. Where all of the row is the sample and there is no slack, they are as many as the rank says.
uint list_by_rank(CoherentKeys keys, uint step, uint rank, uint slack, uint room) {
  if (gl_LocalInvocationID.x == 0u) held = 0u;
  counting_keys_begin();
  do {
    counting_next();
    count_sample(step);
  } while (!counting_keys_narrow(rank, slack));
  const uint end = row_vectors();
  for (uint at = 0u; at < end; at += CHUNK_STEP) {
    read_row_chunk(at);
    const uint chosen = row_chunk_up_to(counting_kth, at);
    if (chosen == 0u) continue;
    uint to = atomicAdd(held, uint(bitCount(chosen)));
    [[unroll]] for (uint i = 0u; i < CHUNK_FOURS; ++i)
      [[unroll]] for (uint e = 0u; e < 4u; ++e)
        if ((chosen & 1u << (4u * i + e)) != 0u) {
          if (to < room) keys.values[to] = row_chunk_key(at, i, e).yx;
          ++to;
        }
  }
  memoryBarrierBuffer();
  barrier();
  return held;
}

void main() {
  const uint row = gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y;
  const uint part = gl_WorkGroupID.x;
  if (row >= p.rows.rows) return;
  open_row(p.rows, row);
  // The row's lists, and behind them as much room again.
  const uint row_keys = p.parts * p.room;
  uvec2 keys = advance_keys(advance_keys(p.lists, row, row_keys), row, row_keys);
  uvec2 spare = advance_keys(keys, 1u, row_keys);
  const uint k = p.result.k;
  bool listed = !is_null(p.counters);
  UintsIn counters = UintsIn(advance_elements(readable(listed, p.counters, p.rows.values), row, p.parts));
  if (listed)
    for (uint i = gl_LocalInvocationID.x; i < p.parts; i += WORKGROUP_SIZE) counts[i] = counters.values[i];
  barrier();
  uint first = 0u, count = k, take = k;
  // If nothing is listed, by a sample; then, where lists are wanting, by all of the row. A loop, so that there is one call.
  bool by_all = false;
  [[dont_unroll]] for (;;) {
    if (!listed) {
      const uint found = list_by_rank(CoherentKeys(keys), by_all ? 1u : p.sample_step, by_all ? k : p.sample_rank,
                                      by_all ? 0u : p.sample_rank / sampled_per_slack, row_keys);
      if (by_all) break;
      if (gl_LocalInvocationID.x == 0u) counts[0] = found;
      barrier();
    }
    // Of k keys and more it is not asked how many there are, nor whether parts behind them fit.
    uint all = 0u, before = 0u;
    bool fits = true;
    for (uint i = 0u; i < p.parts; ++i) {
      if (all < k) fits = fits && counts[i] <= p.room;
      if (i == part) before = all;
      all = min(all + min(counts[i], k), k);
    }
    if (fits && all >= k) {
      if (before >= k) return;
      first = before;
      count = counts[part];
      take = min(count, k - first);
      keys = advance_keys(keys, part, p.room);
      spare = advance_keys(spare, part, p.room);
      break;
    }
    if (part != 0u) return;
    barrier();  // all have read how many were listed
    listed = false;
    by_all = true;
  }
  if (count == 0u) return;
  if (distribute(keys, spare, count)) {
    const uint end = distributed_end(take);
    for (uint i = gl_LocalInvocationID.x; i < end; i += WORKGROUP_SIZE) {
      const uvec2 key = DISTRIBUTED_KEY(i);
      const uint rank = rank_of(key);
      if (rank < take) write_selected(p.result, p.rows, row, first + rank, key, LARGEST_FIRST);
    }
  } else {
    CoherentKeys sorted = CoherentKeys(sort_and_merge(keys, spare, count, take));
    for (uint i = gl_LocalInvocationID.x; i < take; i += WORKGROUP_SIZE)
      write_selected(p.result, p.rows, row, first + i, sorted.values[i].yx, LARGEST_FIRST);
  }
}
