#include "kernels/chain.cuh"
#include "kernels/rough_similarity.cuh"
#include "kernels/signatures.cuh"
#include "proxel/passes/signature_pairs.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::SignaturePairsParameters;

constexpr unsigned team = 32;
constexpr unsigned teams = signature_block / team;

// The sum over a query's centroids, four at a time, of one of an object.
template <int kind>
__device__ __forceinline__ float weighted_sum(const Signatures& queries, uint2 query, const float* object,
                                              float factor) {
  float sum = 0;
  for (unsigned i = 0; i < query.y; i += 4) {
    const float* centroids = queries.coordinates(query.x + i);
    float squared[4] = {};
#pragma unroll 4
    for (unsigned k = 0; k < queries.dimensions(); ++k) {
      const float4 four = __ldg(reinterpret_cast<const float4*>(centroids + std::size_t{k} * signature_block));
      const float mine = __ldg(object + std::size_t{k} * signature_block);
      add_square(four.x, mine, squared[0]);
      add_square(four.y, mine, squared[1]);
      add_square(four.z, mine, squared[2]);
      add_square(four.w, mine, squared[3]);
    }
    const float4 weights = __ldg(reinterpret_cast<const float4*>(queries.weights(query.x + i)));
    sum = __fmaf_rn(weights.x, rough_similarity<kind>(squared[0], factor), sum);
    sum = __fmaf_rn(weights.y, rough_similarity<kind>(squared[1], factor), sum);
    sum = __fmaf_rn(weights.z, rough_similarity<kind>(squared[2], factor), sum);
    sum = __fmaf_rn(weights.w, rough_similarity<kind>(squared[3], factor), sum);
  }
  return sum;
}

template <int kind>
__global__ void __launch_bounds__(signature_block) pairs(const Parameters p, const Launch launch) {
  follow_previous_pass();
  __shared__ float products[signature_block];
  const unsigned lane = threadIdx.x % team;
  const unsigned query = blockIdx.y;
  const Signatures queries(p.queries, launch.as<passes::SignaturePairsConstants>().dimensions),
      objects(p.objects, launch.as<passes::SignaturePairsConstants>().dimensions);
  const uint2 query_span = queries.span(query);
  const auto* list = reinterpret_cast<const unsigned*>(p.lists) + std::uint64_t{query} * p.list_stride;
  const unsigned count = p.counts == 0 ? p.count : reinterpret_cast<const unsigned*>(p.counts)[query];
  float* squares = reinterpret_cast<float*>(p.squares) + std::uint64_t{query} * p.square_stride;
  for (unsigned first = blockIdx.x * teams; first < count; first += gridDim.x * teams) {
    const unsigned i = first + threadIdx.x / team;
    const unsigned number = i < count ? list[i] : 0;
    float sum = 0;
    if (i < count) {
      const uint2 span = objects.span(number);
      for (unsigned j = lane; j < span.y; j += team) {
        sum += objects.weight(span.x + j) *
               weighted_sum<kind>(queries, query_span, objects.coordinates(span.x + j), p.factor);
      }
    }
    products[threadIdx.x] = sum;
    __syncthreads();
    if (lane == 0 && i < count) {
      float cross = 0;
#pragma unroll
      for (unsigned j = 0; j < team; ++j) cross += products[threadIdx.x + j];
      squares[p.counts == 0 ? i : number] =
          arithmetic::screened_square(queries.terms(query), objects.terms(number), cross, static_cast<int>(p.unit));
    }
    __syncthreads();
  }
}

}  // namespace

PROXEL_KERNEL(signature_pairs)(const Pass& pass) {
  if (pass.workgroup_size != signature_block) return {};
  return for_similarity(pass.constants_as<passes::SignaturePairsConstants>().similarity,
                        [](auto kind) { return variant(pairs<kind.value>); });
}

}  // namespace proxel::cuda
