#pragma once

// Canonical sums over signatures (passes/types.h) by a workgroup, a thread per centroid of
// the objects.

#include <cstdint>
#include <type_traits>

#include "kernels/variant.cuh"
#include "proxel/arithmetic/arithmetic.h"
#include "proxel/passes/types.h"

namespace proxel::cuda {

using arithmetic::float_float;
using passes::signature_block;

class Signatures {
 public:
  __device__ __forceinline__ Signatures(const passes::SignatureSet& set, unsigned dimensions)
      : set_(set), dimensions_(dimensions) {}

  /// First place, centroids.
  __device__ __forceinline__ uint2 span(unsigned signature) const {
    return reinterpret_cast<const uint2*>(set_.spans)[signature];
  }
  __device__ __forceinline__ arithmetic::signature_terms terms(unsigned signature) const {
    const uint4 words = reinterpret_cast<const uint4*>(set_.terms)[signature];
    return {__uint_as_float(words.x), __uint_as_float(words.y), static_cast<int>(words.z)};
  }
  /// Coordinate 0 of a place; the next is signature_block behind it.
  __device__ __forceinline__ const float* coordinates(unsigned place) const {
    return reinterpret_cast<const float*>(set_.coordinates) +
           std::uint64_t{place / signature_block} * dimensions_ * signature_block + place % signature_block;
  }
  /// The weights of a place and of those behind it.
  __device__ __forceinline__ const float* weights(unsigned place) const {
    return reinterpret_cast<const float*>(set_.weights) + place;
  }
  __device__ __forceinline__ float weight(unsigned place) const { return *weights(place); }
  __device__ __forceinline__ unsigned dimensions() const { return dimensions_; }

 private:
  const passes::SignatureSet& set_;
  unsigned dimensions_;
};

/// The sum over a query's centroids of w_i f_ij.
template <int kind>
__device__ __forceinline__ float_float query_sum(const Signatures& queries, uint2 query, const float* object,
                                                 float alpha) {
  float_float sum{0, 0};
  for (unsigned i = 0; i < query.y; ++i) {
    const float* centroid = queries.coordinates(query.x + i);
    float_float squared{0, 0};
#pragma unroll 4
    for (unsigned k = 0; k < queries.dimensions(); ++k)
      squared = arithmetic::sum_with_squared_difference(squared, __ldg(centroid + std::size_t{k} * signature_block),
                                                        __ldg(object + std::size_t{k} * signature_block));
    sum =
        arithmetic::sum_with_product(sum, arithmetic::similarity_of(kind, alpha, squared), queries.weight(query.x + i));
  }
  return sum;
}

/// What threads have found of the places of one round, with their weights.
struct RoundSums {
  float high[signature_block], low[signature_block], weight[signature_block];

  __device__ __forceinline__ void put(float_float sum, float of) {
    high[threadIdx.x] = sum.high;
    low[threadIdx.x] = sum.low;
    weight[threadIdx.x] = of;
  }
  /// Adds those of the part of a signature that lies in the round.
  __device__ __forceinline__ void add_to(float_float& cross, uint2 span, unsigned round) const {
    const unsigned first = max(span.x, round) - round;
    const unsigned end = min(span.x + span.y - round, signature_block);
    for (unsigned i = first; i < end; ++i)
      cross = arithmetic::sum_with_product(cross, float_float{high[i], low[i]}, weight[i]);
  }
};

/// Of the signatures of a group the one that a place belongs to.
__device__ __forceinline__ unsigned signature_at(const uint2* spans, unsigned count, unsigned place) {
  unsigned found = 0;
  while (found + 1 < count && spans[found + 1].x <= place) ++found;
  return found;
}

/// Calls choose(std::integral_constant) with the kind of similarity.
template <typename Choose>
Kernel for_similarity(std::uint32_t kind, const Choose& choose) {
  using namespace arithmetic;
  switch (kind) {
    case similarity_gaussian:
      return choose(std::integral_constant<int, similarity_gaussian>{});
    case similarity_minus:
      return choose(std::integral_constant<int, similarity_minus>{});
    case similarity_heuristic:
      return choose(std::integral_constant<int, similarity_heuristic>{});
    default:
      return {};
  }
}

}  // namespace proxel::cuda
