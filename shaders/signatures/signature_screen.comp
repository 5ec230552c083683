#version 460
#extension GL_GOOGLE_include_directive : require
#include "workgroup.glsl"
#include "signatures.glsl"
#include "proxel/passes/signature_screen.h"

layout(push_constant, std430) uniform Push { SignatureScreenParameters p; };

const uint in_registers = 8u;  // coordinates

shared uvec2 spans[WORKGROUP_SIZE];
shared float products[signature_screen_queries * WORKGROUP_SIZE];

float own[in_registers];  // the first coordinates of the invocation's centroid
FloatsIn object;

vec4 coordinates4(uvec2 address, uint k) {
  return Float4sIn(address).values[k * (signature_block / 4u)];
}

void add_squares(uvec2 query, uint k, float mine, inout vec4 near, inout vec4 far) {
  const vec4 a = coordinates4(query, k) - mine;
  const vec4 b = coordinates4(advance(query, 1u, 16u), k) - mine;
  near = fma(a, a, near);
  far = fma(b, b, far);
}

vec4 similarity4(vec4 squared) {
  if (SIMILARITY == uint(similarity_gaussian)) return exp2(squared * p.factor);
  if (SIMILARITY == uint(similarity_minus)) return -sqrt(squared);
  return 1.0 / (p.factor + sqrt(squared));
}

// The sum over a query's centroids, eight at a time.
float weighted_sum(uvec2 query) {
  float sum = 0.0;
  for (uint i = 0u; i < query.y; i += 8u) {
    const uint place = query.x + i;
    const uvec2 block =
        advance(advance_elements(p.queries.coordinates, place / signature_block, DIMENSIONS * signature_block),
                place % signature_block, 4u);
    vec4 near = vec4(0.0), far = vec4(0.0);
    [[unroll]] for (uint k = 0u; k < in_registers; ++k)
      if (k < DIMENSIONS) add_squares(block, k, own[k], near, far);
    if (DIMENSIONS > in_registers)
      for (uint k = in_registers; k < DIMENSIONS; ++k)
        add_squares(block, k, object.values[k * signature_block], near, far);
    Float4sIn weights = Float4sIn(advance(p.queries.weights, place, 4u));
    sum += dot(weights.values[0], similarity4(near)) + dot(weights.values[1], similarity4(far));
  }
  return sum;
}

// 2^(exponent - 30), by which scaled weights are brought back; 0 without any weight.
float weight_scale(int exponent) {
  const int bits = exponent - 30;
  return bits < -190 ? 0.0 : power_of_two(bits / 2) * power_of_two(bits - bits / 2);
}

void put_square(uint query, uint signature, float cross) {
  const signature_terms a = terms_of(p.queries, query);
  const signature_terms b = terms_of(p.objects, signature);
  const float of_a = weight_scale(a.exponent);
  const float of_b = weight_scale(b.exponent);
  const float square = (a.high * of_a * of_a + b.high * of_b * of_b) - 2.0 * (cross * of_a * of_b);
  FloatsOut(advance(advance_elements(p.distances, query, p.distance_stride), signature, 4u)).values[0] =
      square * power_of_two(int(p.unit));
}

void main() {
  const uint lane = gl_LocalInvocationID.x;
  const uint first_query = gl_WorkGroupID.y * signature_screen_queries;
  const uint query_count = min(signature_screen_queries, p.query_count - first_query);
  UintsIn groups = UintsIn(p.groups);
  for (uint group = gl_WorkGroupID.x; group < p.group_count; group += gl_NumWorkGroups.x) {
    const uint first = groups.values[group];
    const uint count = groups.values[group + 1u] - first;
    if (count == 0u) continue;
    barrier();  // the group before has been used
    if (lane < count) spans[lane] = span_of(p.objects, first + lane);
    barrier();
    const uint begin = spans[0].x;
    const uint end = spans[count - 1u].x + spans[count - 1u].y;
    float carried = 0.0;  // of a signature of several rounds
    for (uint round = begin; round < end; round += WORKGROUP_SIZE) {
      const uint place = round + lane;
      if (place < end) {
        object = coordinates_of(p.objects, place);
        [[unroll]] for (uint k = 0u; k < in_registers; ++k)
          if (k < DIMENSIONS) own[k] = object.values[k * signature_block];
        const float weight = weight_of(p.objects, place);
        for (uint q = 0u; q < query_count; ++q)
          products[q * WORKGROUP_SIZE + lane] = weight * weighted_sum(span_of(p.queries, first_query + q));
      }
      barrier();
      const uint stop = min(end - round, WORKGROUP_SIZE);
      for (uint i = lane; i < query_count * count; i += WORKGROUP_SIZE) {
        const uint q = i / count;
        const uvec2 span = spans[i % count];
        float cross = carried;
        for (uint j = max(span.x, round) - round; j < min(span.x + span.y - round, stop); ++j)
          cross += products[q * WORKGROUP_SIZE + j];
        carried = cross;
        if (round + WORKGROUP_SIZE >= end) {
          put_square(first_query + q, first + i % count, cross);
          carried = 0.0;
        }
      }
      barrier();
    }
  }
}
