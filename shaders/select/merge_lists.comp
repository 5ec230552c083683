#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "proxel/passes/merge_lists.h"

layout(constant_id = 1) const uint LIST_LENGTH = 1u;
#include "block_select.glsl"

layout(push_constant, std430) uniform Push { MergeListsParameters p; };

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint query = gl_WorkGroupID.x;

  select_begin(p.k);
  // Lists ascend: once no list's key of some rank was taken, no later one can be.
  for (uint rank = 0u; rank < p.k; ++rank) {
    bool taken = false;
    for (uint base = 0u; base < p.list_count; base += 4u * WORKGROUP_SIZE) {
      uvec2 keys[4];
      [[unroll]] for (uint j = 0u; j < 4u; ++j) {
        const uint list = base + j * WORKGROUP_SIZE + thread;
        keys[j] = no_row;
        if (list < p.list_count) {
          Keys source = Keys(advance(p.lists, query * p.list_count + list, 8u * p.k));
          keys[j] = source.values[rank].yx;
        }
      }
      taken = select_offer(keys) || taken;
    }
    if (!taken) break;
  }
  select_finish();

  Keys merged = Keys(advance_keys(p.merged, query, p.merged_stride));
  for (uint i = thread; i < p.k; i += WORKGROUP_SIZE) merged.values[i] = pool[i].yx;
}
