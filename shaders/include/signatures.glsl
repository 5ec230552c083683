// Canonical sums over signatures (types.h) by a workgroup, an invocation per centroid of the
// objects. Before it: workgroup.glsl, and the constants SIMILARITY and DIMENSIONS.
#ifndef PROXEL_SIGNATURES_GLSL
#define PROXEL_SIGNATURES_GLSL
#include "address.glsl"
#include "proxel/arithmetic/arithmetic.h"

uvec2 span_of(SignatureSet set, uint signature) {
  UintsIn span = UintsIn(advance(set.spans, signature, 8u));
  return uvec2(span.values[0], span.values[1]);
}

signature_terms terms_of(SignatureSet set, uint signature) {
  const uvec4 words = Uint4sIn(advance(set.terms, signature, 16u)).values[0];
  return signature_terms(uintBitsToFloat(words.x), uintBitsToFloat(words.y), int(words.z));
}

// Coordinate 0 of a place; the next is signature_block behind it.
FloatsIn coordinates_of(SignatureSet set, uint place) {
  const uvec2 block = advance_elements(set.coordinates, place / signature_block, DIMENSIONS * signature_block);
  return FloatsIn(advance(block, place % signature_block, 4u));
}

float weight_of(SignatureSet set, uint place) { return FloatsIn(advance(set.weights, place, 4u)).values[0]; }

// Similarities in plain binary32, as screens use them.
vec4 rough_similarity(vec4 squared, float factor) {
  if (SIMILARITY == uint(similarity_gaussian)) return exp2(squared * factor);
  if (SIMILARITY == uint(similarity_minus)) return -sqrt(squared);
  return 1.0 / (factor + sqrt(squared));
}

// The sum over a query's centroids of w_i f_ij.
float_float query_sum(SignatureSet queries, uvec2 query, FloatsIn object, float alpha) {
  float_float sum = float_float(0.0, 0.0);
  for (uint i = 0u; i < query.y; ++i) {
    FloatsIn mine = coordinates_of(queries, query.x + i);
    float_float squared = float_float(0.0, 0.0);
    for (uint k = 0u; k < DIMENSIONS; ++k)
      squared = sum_with_squared_difference(squared, mine.values[k * signature_block],
                                            object.values[k * signature_block]);
    sum = sum_with_product(sum, similarity_of(int(SIMILARITY), alpha, squared), weight_of(queries, query.x + i));
  }
  return sum;
}

// What the invocations have found of the places of one round, with their weights.
shared float sum_high[signature_block];
shared float sum_low[signature_block];
shared float sum_weight[signature_block];

void put_sum(float_float sum, float weight) {
  sum_high[gl_LocalInvocationID.x] = sum.high;
  sum_low[gl_LocalInvocationID.x] = sum.low;
  sum_weight[gl_LocalInvocationID.x] = weight;
}

// Adds those of a signature's centroids, of which the round begins at `first` of the block.
void add_sums(inout float_float cross, uint first, uint count) {
  for (uint i = first; i < first + count; ++i)
    cross = sum_with_product(cross, float_float(sum_high[i], sum_low[i]), sum_weight[i]);
}

#endif
