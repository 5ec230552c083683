#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/signature_distance.h"
PROXEL_SIGNATURE_DISTANCE_CONSTANTS(PROXEL_SPECIALISED)
#include "workgroup.glsl"
#include "signatures.glsl"
#include "decode.glsl"

layout(push_constant, std430) uniform Push { SignatureDistanceParameters p; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Distances { float value; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Counter { uint value; };

const uint words = signature_block / 32u;

shared uvec2 spans[signature_block];  // centroids of 0 where a signature is passed over
shared uint near_groups[words];       // a bit per group of a tile: something of it is near
shared uint wanted;

uint query;
uvec2 row;    // of distances
float limit;  // where there are limits

bool is_near(uint signature) {
  return is_null(p.limits) ||
         Distances(advance(row, signature, 4u)).value <= limit;
}

// Leaves out what is not near. Returns whether anything is.
bool pass_over(uint first, uint end) {
  if (is_null(p.limits)) return true;
  bool any = false;
  for (uint signature = first; signature < end; ++signature)
    if (is_near(signature)) any = true;
    else Distances(advance(row, signature, 4u)).value = uintBitsToFloat(0x7FC00000u);
  return any;
}

void compute(uint first, uint count) {
  const uint lane = gl_LocalInvocationID.x;
  barrier();  // the group before has been used
  if (lane == 0u) wanted = 0u;
  barrier();
  const bool near = lane < count && is_near(first + lane);
  uvec2 span = uvec2(0u);
  if (lane < count) {
    span = span_of(p.objects, first + lane);
    spans[lane] = uvec2(span.x, near ? span.y : 0u);
  }
  if (near) atomicAdd(wanted, 1u);
  barrier();
  if (lane == 0u) atomicAdd(Counter(advance(p.evaluated, query, 4u)).value, wanted);
  const uvec2 query_span = span_of(p.queries, query);
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
    const signature_terms query_terms = terms_of(p.queries, query);
    const signature_terms terms = terms_of(p.objects, first + lane);
    const float square = signature_square(query_terms, terms, cross, int(p.unit));
    Distances(advance(row, first + lane, 4u)).value = scaled_root(rounded_root(square), query_terms, terms);
  }
}

void main() {
  const uint lane = gl_LocalInvocationID.x;
  query = gl_WorkGroupID.y;
  row = advance_elements(p.distances, query, p.distance_stride);
  limit = FloatsIn(readable(!is_null(p.limits), advance(p.limits, query, 4u), p.queries.spans)).values[0];
  UintsIn groups = UintsIn(p.groups);
  const uint share = (p.group_count - 1u) / gl_NumWorkGroups.x + 1u;
  const uint end = min((gl_WorkGroupID.x + 1u) * share, p.group_count);
  // An invocation looks at a group each; then all compute those where something is near.
  for (uint tile = gl_WorkGroupID.x * share; tile < end; tile += WORKGROUP_SIZE) {
    barrier();
    if (lane < words) near_groups[lane] = 0u;
    barrier();
    if (tile + lane < end && groups.values[tile + lane] < groups.values[tile + lane + 1u] &&
        pass_over(groups.values[tile + lane], groups.values[tile + lane + 1u]))
      atomicOr(near_groups[lane / 32u], 1u << (lane % 32u));
    barrier();
    for (uint word = 0u; word < words; ++word)
      for (uint bits = near_groups[word]; bits != 0u; bits &= bits - 1u) {
        const uint group = min(tile + 32u * word + uint(findLSB(bits)), p.group_count - 1u);
        compute(groups.values[group], groups.values[group + 1u] - groups.values[group]);
      }
  }
}
