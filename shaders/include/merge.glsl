// The k smallest of several ascending lists of keys, left in the pool.
#ifndef PROXEL_MERGE_GLSL
#define PROXEL_MERGE_GLSL
#include "address.glsl"
#include "block_select.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) coherent buffer CoherentKeys { uvec2 values[]; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Tickets { uint values[]; };
shared bool finished_last;

// Whether this workgroup is the last of several to arrive, each of which has written a list to CoherentKeys: then all of them are there.
// The ticket is 0 before and after.
bool arrives_last(uvec2 tickets, uint ticket, uint workgroups) {
  memoryBarrierBuffer();
  barrier();
  if (gl_LocalInvocationID.x == 0u) {
    Tickets of = Tickets(tickets);
    finished_last = atomicAdd(of.values[ticket], 1u) == workgroups - 1u;
    if (finished_last) of.values[ticket] = 0u;
    memoryBarrierBuffer();
  }
  barrier();
  return finished_last;
}

// Lists first_list … first_list + list_count - 1 of those at `lists`, k keys each.
// Coherent, because workgroups of the same pass may have written them.
void merge_lists(uvec2 lists, uint first_list, uint list_count, uint k) {
  select_begin(k);
  if (LIST_LENGTH == 1u) {
    // Every list is one key; all that an invocation reads is asked for at once.
    for (uint base = gl_LocalInvocationID.x; base < list_count; base += 8u * WORKGROUP_SIZE) {
      uvec2 keys[8];
      [[unroll]] for (uint j = 0u; j < 8u; ++j) {
        const uint list = base + j * WORKGROUP_SIZE;
        keys[j] = list < list_count ? CoherentKeys(lists).values[first_list + list].yx : no_row;
      }
      [[unroll]] for (uint j = 0u; j < 8u; ++j) select_best = key_min(select_best, keys[j]);
    }
    select_finish();
    return;
  }
  // Lists ascend: once no list's keys of some ranks were taken, no later ones can be. Of few lists many ranks are
  // offered at once, and each time twice as many, so that nobody waits for every rank of a long list.
  const uint offered = 4u * WORKGROUP_SIZE;
  uint ranks = max(offered / list_count, 1u);
  for (uint rank = 0u; rank < k;) {
    ranks = min(ranks, k - rank);
    const uint count = list_count * ranks;
    bool taken = false;
    for (uint base = 0u; base < count; base += offered) {
      uvec2 keys[4];
      [[unroll]] for (uint j = 0u; j < 4u; ++j) {
        const uint item = base + j * WORKGROUP_SIZE + gl_LocalInvocationID.x;
        const uint list = first_list + item % list_count;
        keys[j] = item < count ? CoherentKeys(advance(lists, list, 8u * k)).values[rank + item / list_count].yx : no_row;
      }
      taken = select_offer(keys) || taken;
    }
    if (!taken) break;
    rank += ranks;
    ranks *= 2u;
  }
  select_finish();
}

#endif
