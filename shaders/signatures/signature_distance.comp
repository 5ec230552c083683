#version 460
#extension GL_GOOGLE_include_directive : require
#include "workgroup.glsl"
#include "signatures.glsl"
#include "decode.glsl"
#include "proxel/passes/signature_distance.h"

layout(push_constant, std430) uniform Push { SignatureDistanceParameters p; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Distances { float value; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Counter { uint value; };

shared uvec2 spans[WORKGROUP_SIZE];  // centroids of 0 where a signature is passed over
shared uint wanted;

void main() {
  const uint lane = gl_LocalInvocationID.x;
  const uint query = gl_WorkGroupID.y;
  const uvec2 query_span = span_of(p.queries, query);
  const signature_terms query_terms = terms_of(p.queries, query);
  const uvec2 row = advance_elements(p.distances, query, p.distance_stride);
  UintsIn groups = UintsIn(p.groups);
  for (uint group = gl_WorkGroupID.x; group < p.group_count; group += gl_NumWorkGroups.x) {
    const uint first = groups.values[group];
    const uint count = groups.values[group + 1u] - first;
    if (count == 0u) continue;
    barrier();  // the group before has been used
    if (lane == 0u) wanted = 0u;
    barrier();
    bool near = lane < count;
    uvec2 span = uvec2(0u);
    uvec2 place_of_distance = uvec2(0u);
    if (lane < count) {
      span = span_of(p.objects, first + lane);
      place_of_distance = advance(row, first + lane, 4u);
      if (!is_null(p.limits)) {
        near = Distances(place_of_distance).value <= FloatsIn(advance(p.limits, query, 4u)).values[0];
        if (!near) Distances(place_of_distance).value = uintBitsToFloat(0x7FC00000u);
      }
      spans[lane] = uvec2(span.x, near ? span.y : 0u);
      if (near) atomicAdd(wanted, 1u);
    }
    barrier();
    const uint near_ones = wanted;
    if (near_ones == 0u) continue;
    if (lane == 0u) atomicAdd(Counter(advance(p.evaluated, query, 4u)).value, near_ones);
    const uint begin = spans[0].x;
    const uint end = spans[count - 1u].x + spans[count - 1u].y;
    float_float cross = float_float(0.0, 0.0);
    for (uint round = begin; round < end; round += WORKGROUP_SIZE) {
      const uint place = round + lane;
      uint mine = 0u;
      while (mine + 1u < count && spans[mine + 1u].x <= place) ++mine;
      if (place < spans[mine].x + spans[mine].y)
        put_sum(query_sum(p.queries, query_span, coordinates_of(p.objects, place), p.alpha),
                weight_of(p.objects, place));
      barrier();
      if (near) {
        const uint from = max(span.x, round) - round;
        const uint to = min(span.x + span.y - round, WORKGROUP_SIZE);
        add_sums(cross, from, to - from);
      }
      barrier();
    }
    if (near) {
      const signature_terms terms = terms_of(p.objects, first + lane);
      const float square = signature_square(query_terms, terms, cross, int(p.unit));
      Distances(place_of_distance).value = scaled_root(rounded_root(square), query_terms, terms);
    }
  }
}
