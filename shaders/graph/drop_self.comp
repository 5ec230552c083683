#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "counted.glsl"
#include "workgroup.glsl"
#include "proxel/passes/drop_self.h"

layout(push_constant, std430) uniform Push { DropSelfParameters p; };

// Where each team's query has its own row.
shared uint places[WORKGROUP_SIZE];

void main() {
  const uint team = gl_LocalInvocationID.x / p.lanes;
  const uint lane = gl_LocalInvocationID.x % p.lanes;
  const uint teams = WORKGROUP_SIZE / p.lanes;
  const uint blocks = (p.queries - 1u) / teams + 1u;
  for (uint block = gl_WorkGroupID.x; block < blocks; block += gl_NumWorkGroups.x) {
    const uint first = block * teams;
    const uint query = first + min(team, p.queries - 1u - first);
    const bool there = team < p.queries - first && !past_counted(p.counted, query, p.self);
    UintsIn found = UintsIn(advance_elements(p.found_indices, query, p.k + 1u));
    UintsIn found_distances = UintsIn(advance_elements(p.found_distances, query, p.k + 1u));
    const uint self = UintsIn(p.self).values[query];
    if (lane == 0u) places[team] = p.k;
    barrier();
    for (uint slot = lane; slot < p.k; slot += p.lanes)
      if (found.values[slot] == self) atomicMin(places[team], slot);
    barrier();
    const uint place = places[team];
    if (there) {
      UintsOut indices = UintsOut(advance_elements(p.indices, query, p.k));
      UintsOut distances = UintsOut(advance_elements(p.distances, query, p.k));
      for (uint slot = lane; slot < p.k; slot += p.lanes) {
        const uint from = slot < place ? slot : slot + 1u;
        indices.values[slot] = found.values[from];
        distances.values[slot] = found_distances.values[from];
      }
    }
    barrier();  // the place is written anew
  }
}
