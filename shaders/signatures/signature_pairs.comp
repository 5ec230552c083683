#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/signature_pairs.h"
PROXEL_SIGNATURE_PAIRS_CONSTANTS(PROXEL_SPECIALISED)
#include "workgroup.glsl"
#include "signatures.glsl"

layout(push_constant, std430) uniform Push { SignaturePairsParameters p; };

const uint team = 32u;

shared float products[WORKGROUP_SIZE];

// The sum over a query's centroids, four at a time, of one of an object.
float weighted_sum(uvec2 query, FloatsIn object) {
  float sum = 0.0;
  for (uint i = 0u; i < query.y; i += 4u) {
    const uint place = query.x + i;
    Float4sIn centroids = Float4sIn(
        advance(advance_elements(p.queries.coordinates, place / signature_block, DIMENSIONS * signature_block),
                place % signature_block, 4u));
    vec4 squared = vec4(0.0);
    for (uint k = 0u; k < DIMENSIONS; ++k) {
      const vec4 difference = centroids.values[k * (signature_block / 4u)] - object.values[k * signature_block];
      squared = fma(difference, difference, squared);
    }
    sum += dot(Float4sIn(advance(p.queries.weights, place, 4u)).values[0], rough_similarity(squared, p.factor));
  }
  return sum;
}

void main() {
  const uint lane = gl_LocalInvocationID.x % team;
  const uint teams = WORKGROUP_SIZE / team;
  const uint query = gl_WorkGroupID.y;
  const uvec2 query_span = span_of(p.queries, query);
  UintsIn list = UintsIn(advance_elements(p.lists, query, p.list_stride));
  const bool counted = !is_null(p.counts);
  const uint listed = UintsIn(readable(counted, advance(p.counts, query, 4u), p.queries.spans)).values[0];
  const uint count = counted ? listed : p.count;
  for (uint first = gl_WorkGroupID.x * teams; first < count; first += gl_NumWorkGroups.x * teams) {
    const uint i = first + gl_LocalInvocationID.x / team;
    const uint number = i < count ? list.values[i] : 0u;
    float sum = 0.0;
    if (i < count) {
      const uvec2 span = span_of(p.objects, number);
      for (uint j = lane; j < span.y; j += team) {
        sum += weight_of(p.objects, span.x + j) * weighted_sum(query_span, coordinates_of(p.objects, span.x + j));
      }
    }
    products[gl_LocalInvocationID.x] = sum;
    barrier();
    if (lane == 0u && i < count) {
      float cross = 0.0;
      for (uint j = 0u; j < team; ++j) cross += products[gl_LocalInvocationID.x + j];
      FloatsOut(advance(advance_elements(p.squares, query, p.square_stride), is_null(p.counts) ? i : number, 4u))
          .values[0] = screened_square(terms_of(p.queries, query), terms_of(p.objects, number), cross, int(p.unit));
    }
    barrier();
  }
}
