#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "counted.glsl"
#include "workgroup.glsl"
#include "proxel/passes/drop_self.h"

layout(push_constant, std430) uniform Push { DropSelfParameters p; };

// Where each query of the block has its own row.
shared uint places[drop_self_queries];

// The next item of this invocation, `end` where there is none: a sum could pass 2^32.
uint next(uint item, uint end) { return item + min(WORKGROUP_SIZE, end - item); }

void main() {
  const uint lane = gl_LocalInvocationID.x;
  const uint queries = counted_queries(p.counted, p.queries, p.self);
  const uint blocks = queries / p.block + (queries % p.block != 0u ? 1u : 0u);
  const uint width = p.k + 1u;
  for (uint block = gl_WorkGroupID.x; block < blocks; block += gl_NumWorkGroups.x) {
    const uint first = block * p.block;
    const uint there = min(p.block, queries - first);
    for (uint query = lane; query < there; query = next(query, there)) places[query] = p.k;
    barrier();
    UintsIn self = UintsIn(advance(p.self, first, 4u));
    UintsIn found = UintsIn(advance_elements(p.found_indices, first, width));
    const uint entries = there * width;
    for (uint entry = lane; entry < entries; entry = next(entry, entries)) {
      const uint query = entry / width;
      // The last goes where none is found before it, whatever it is.
      if (found.values[entry] == self.values[query]) atomicMin(places[query], entry - query * width);
    }
    barrier();
    UintsIn found_distances = UintsIn(advance_elements(p.found_distances, first, width));
    UintsOut indices = UintsOut(advance_elements(p.indices, first, p.k));
    UintsOut distances = UintsOut(advance_elements(p.distances, first, p.k));
    const uint slots = there * p.k;
    for (uint slot = lane; slot < slots; slot = next(slot, slots)) {
      const uint query = slot / p.k;
      // A list before this one has a slot more than its answer, and this one what goes.
      const uint from = slot + query + (slot - query * p.k < places[query] ? 0u : 1u);
      indices.values[slot] = found.values[from];
      distances.values[slot] = found_distances.values[from];
    }
    barrier();  // the places are written anew
  }
}
