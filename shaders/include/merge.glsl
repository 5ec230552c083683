// The k smallest of several ascending lists of keys, left in the pool.
#ifndef PROXEL_MERGE_GLSL
#define PROXEL_MERGE_GLSL
#include "address.glsl"
#include "block_select.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) coherent buffer CoherentKeys { uvec2 values[]; };

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
  // Lists ascend: once no list's key of some rank was taken, no later one can be.
  for (uint rank = 0u; rank < k; ++rank) {
    bool taken = false;
    for (uint base = 0u; base < list_count; base += 4u * WORKGROUP_SIZE) {
      uvec2 keys[4];
      [[unroll]] for (uint j = 0u; j < 4u; ++j) {
        const uint list = base + j * WORKGROUP_SIZE + gl_LocalInvocationID.x;
        keys[j] = list < list_count
                      ? CoherentKeys(advance(lists, first_list + list, 8u * k)).values[rank].yx
                      : no_row;
      }
      taken = select_offer(keys) || taken;
    }
    if (!taken) break;
  }
  select_finish();
}

#endif
