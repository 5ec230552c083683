#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/signature_screen.h"
PROXEL_SIGNATURE_SCREEN_CONSTANTS(PROXEL_SPECIALISED)
#include "workgroup.glsl"
#include "signatures.glsl"

layout(push_constant, std430) uniform Push { SignatureScreenParameters p; };

const uint in_registers = 8u;  // coordinates
// An invocation takes four places of a block: what is loaded of a query's centroids serves
// all four, or loading would take longer than computing.
const uint threads = signature_block / 4u;

shared uvec2 spans[signature_block];
shared float products[signature_screen_queries * signature_block];

vec4 own[in_registers];  // the first coordinates of the invocation's places
FloatsIn object;

// Of the invocation's places.
vec4 four_of(FloatsIn values, uint first) {
  return vec4(values.values[first], values.values[first + threads], values.values[first + 2u * threads],
              values.values[first + 3u * threads]);
}

// Between four centroids of a query and the four places.
struct Squares {
  vec4 a, b, c, d;
};

void add_squares(Float4sIn query, uint k, vec4 mine, inout Squares squares) {
  const vec4 four = query.values[k * (signature_block / 4u)];
  const vec4 a = four.x - mine;
  const vec4 b = four.y - mine;
  const vec4 c = four.z - mine;
  const vec4 d = four.w - mine;
  squares.a = fma(a, a, squares.a);
  squares.b = fma(b, b, squares.b);
  squares.c = fma(c, c, squares.c);
  squares.d = fma(d, d, squares.d);
}

// The sums over a query's centroids, four at a time.
vec4 weighted_sums(uvec2 query) {
  vec4 sums = vec4(0.0);
  for (uint i = 0u; i < query.y; i += 4u) {
    const uint place = query.x + i;
    Float4sIn centroids = Float4sIn(
        advance(advance_elements(p.queries.coordinates, place / signature_block, DIMENSIONS * signature_block),
                place % signature_block, 4u));
    Squares squares = Squares(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
    [[unroll]] for (uint k = 0u; k < in_registers; ++k)
      if (k < DIMENSIONS) add_squares(centroids, k, own[k], squares);
    if (DIMENSIONS > in_registers)
      for (uint k = in_registers; k < DIMENSIONS; ++k)
        add_squares(centroids, k, four_of(object, k * signature_block), squares);
    const vec4 weights = Float4sIn(advance(p.queries.weights, place, 4u)).values[0];
    sums = fma(vec4(weights.x), rough_similarity(squares.a, p.factor), sums);
    sums = fma(vec4(weights.y), rough_similarity(squares.b, p.factor), sums);
    sums = fma(vec4(weights.z), rough_similarity(squares.c, p.factor), sums);
    sums = fma(vec4(weights.w), rough_similarity(squares.d, p.factor), sums);
  }
  return sums;
}

void put_square(uint query, uint signature, float cross) {
  FloatsOut(advance(advance_elements(p.distances, query, p.distance_stride), signature, 4u)).values[0] =
      screened_square(terms_of(p.queries, query), terms_of(p.objects, signature), cross, int(p.unit));
}

void main() {
  const uint lane = gl_LocalInvocationID.x;
  const uint first_query = gl_WorkGroupID.y * signature_screen_queries;
  const uint query_count = min(signature_screen_queries, p.query_count - first_query);
  UintsIn groups = UintsIn(p.groups);
  for (uint group = gl_WorkGroupID.x; group < p.group_count; group += gl_NumWorkGroups.x) {
    const uint number = min(group, p.group_count - 1u);
    const uint first = groups.values[number];
    const uint count = groups.values[number + 1u] - first;
    if (count == 0u) continue;
    barrier();  // the group before has been used
    for (uint i = lane; i < count; i += threads) spans[i] = span_of(p.objects, first + i);
    barrier();
    const uint begin = spans[0].x;
    const uint end = spans[count - 1u].x + spans[count - 1u].y;
    float carried = 0.0;  // of a signature of several rounds
    for (uint round = begin; round < end; round += signature_block) {
      // Places behind the last signature have coordinates too, and no weight.
      object = coordinates_of(p.objects, round + lane);
      [[unroll]] for (uint k = 0u; k < in_registers; ++k)
        if (k < DIMENSIONS) own[k] = four_of(object, k * signature_block);
      const vec4 weights = four_of(FloatsIn(advance(p.objects.weights, round + lane, 4u)), 0u);
      for (uint q = 0u; q < query_count; ++q) {
        const vec4 sums = weights * weighted_sums(span_of(p.queries, first_query + min(q, query_count - 1u)));
        const uint first_product = q * signature_block + lane;
        products[first_product] = sums.x;
        products[first_product + threads] = sums.y;
        products[first_product + 2u * threads] = sums.z;
        products[first_product + 3u * threads] = sums.w;
      }
      barrier();
      const uint stop = min(end - round, signature_block);
      for (uint i = lane; i < query_count * count; i += threads) {
        const uint q = i / count;
        const uvec2 span = spans[i % count];
        float cross = carried;
        for (uint j = max(span.x, round) - round; j < min(span.x + span.y - round, stop); ++j)
          cross += products[q * signature_block + j];
        carried = cross;
        if (round + signature_block >= end) {
          put_square(first_query + q, first + i % count, cross);
          carried = 0.0;
        }
      }
      barrier();
    }
  }
}
