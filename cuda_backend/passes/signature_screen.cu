#include "kernels/chain.cuh"
#include "kernels/signatures.cuh"
#include "proxel/passes/signature_screen.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::SignatureScreenParameters;
using passes::signature_screen_queries;

__device__ __forceinline__ void add_square(float query, float mine, float& sum) {
  const float difference = query - mine;
  sum = __fmaf_rn(difference, difference, sum);
}

// Of eight centroids of a query, 32-byte aligned.
__device__ __forceinline__ void add_squares(const float* query, float mine, float (&squared)[8]) {
  const float4 near = __ldg(reinterpret_cast<const float4*>(query));
  const float4 far = __ldg(reinterpret_cast<const float4*>(query) + 1);
  add_square(near.x, mine, squared[0]);
  add_square(near.y, mine, squared[1]);
  add_square(near.z, mine, squared[2]);
  add_square(near.w, mine, squared[3]);
  add_square(far.x, mine, squared[4]);
  add_square(far.y, mine, squared[5]);
  add_square(far.z, mine, squared[6]);
  add_square(far.w, mine, squared[7]);
}

template <int kind>
__device__ __forceinline__ float rough_similarity(float squared, float factor) {
  if constexpr (kind == arithmetic::similarity_gaussian) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(squared * factor));
    return power;
  } else if constexpr (kind == arithmetic::similarity_minus) {
    return -__fsqrt_rn(squared);
  } else {
    return __fdividef(1.0f, factor + __fsqrt_rn(squared));
  }
}

// The sum over a query's centroids, eight at a time.
// @tparam dimensions  whose coordinates are in `own`; 0: any number, read from `object`
template <int kind, unsigned dimensions>
__device__ __forceinline__ float weighted_sum(const Signatures& queries, uint2 query, const float* own,
                                              const float* object, float factor) {
  float sum = 0;
  for (unsigned i = 0; i < query.y; i += 8) {
    const float* centroids = queries.coordinates(query.x + i);
    float squared[8] = {};
    if constexpr (dimensions != 0) {
#pragma unroll
      for (unsigned k = 0; k < dimensions; ++k) add_squares(centroids + k * signature_block, own[k], squared);
    } else {
#pragma unroll 4
      for (unsigned k = 0; k < queries.dimensions(); ++k)
        add_squares(centroids + std::size_t{k} * signature_block, __ldg(object + std::size_t{k} * signature_block),
                    squared);
    }
    const auto* weights = reinterpret_cast<const float4*>(queries.weights(query.x + i));
    const float4 near = __ldg(weights), far = __ldg(weights + 1);
    const float of[8] = {near.x, near.y, near.z, near.w, far.x, far.y, far.z, far.w};
    float eight = 0;
#pragma unroll
    for (int j = 0; j < 8; ++j) eight = __fmaf_rn(of[j], rough_similarity<kind>(squared[j], factor), eight);
    sum += eight;
  }
  return sum;
}

// 2^(exponent - 30), by which scaled weights are brought back; 0 without any weight.
__device__ __forceinline__ float weight_scale(int exponent) {
  const int bits = exponent - 30;
  return bits < -190 ? 0.0f : arithmetic::power_of_two(bits / 2) * arithmetic::power_of_two(bits - bits / 2);
}

__device__ __forceinline__ float screened_square(const arithmetic::signature_terms& query,
                                                 const arithmetic::signature_terms& object, float cross,
                                                 unsigned unit) {
  const float a = weight_scale(query.exponent), b = weight_scale(object.exponent);
  const float square = (query.high * a * a + object.high * b * b) - 2 * (cross * a * b);
  return square * arithmetic::power_of_two(static_cast<int>(unit));
}

template <int kind, unsigned dimensions>
__global__ void __launch_bounds__(signature_block) screen(const Parameters p, const Launch launch) {
  follow_previous_pass();
  __shared__ float products[signature_screen_queries][signature_block];
  __shared__ uint2 spans[signature_block];
  const unsigned lane = threadIdx.x;
  const unsigned first_query = blockIdx.y * signature_screen_queries;
  const unsigned query_count = min(signature_screen_queries, p.query_count - first_query);
  const unsigned all_dimensions = dimensions != 0 ? dimensions : launch.constants[2];
  const Signatures queries(p.queries, all_dimensions), objects(p.objects, all_dimensions);
  const auto* groups = reinterpret_cast<const unsigned*>(p.groups);
  for (unsigned group = blockIdx.x; group < p.group_count; group += gridDim.x) {
    const unsigned first = groups[group];
    const unsigned count = groups[group + 1] - first;
    if (count == 0) continue;
    __syncthreads();  // the group before has been used
    if (lane < count) spans[lane] = objects.span(first + lane);
    __syncthreads();
    const unsigned begin = spans[0].x;
    const unsigned end = spans[count - 1].x + spans[count - 1].y;
    float carried = 0;  // of a signature of several rounds
    for (unsigned round = begin; round < end; round += signature_block) {
      const unsigned place = round + lane;
      if (place < end) {
        const float* object = objects.coordinates(place);
        float own[dimensions == 0 ? 1 : dimensions];
        if constexpr (dimensions != 0) {
#pragma unroll
          for (unsigned k = 0; k < dimensions; ++k) own[k] = __ldg(object + k * signature_block);
        }
        const float weight = objects.weight(place);
        for (unsigned q = 0; q < query_count; ++q)
          products[q][lane] = weight * weighted_sum<kind, dimensions>(queries, queries.span(first_query + q), own,
                                                                      object, p.factor);
      }
      __syncthreads();
      const unsigned stop = min(end - round, signature_block);
      for (unsigned i = lane; i < query_count * count; i += signature_block) {
        const unsigned q = i / count;
        const uint2 span = spans[i % count];
        float cross = carried;
        for (unsigned j = max(span.x, round) - round; j < min(span.x + span.y - round, stop); ++j)
          cross += products[q][j];
        carried = cross;
        if (round + signature_block < end) continue;
        carried = 0;
        const unsigned query = first_query + q, signature = first + i % count;
        reinterpret_cast<float*>(p.distances)[std::uint64_t{query} * p.distance_stride + signature] =
            screened_square(queries.terms(query), objects.terms(signature), cross, p.unit);
      }
      __syncthreads();
    }
  }
}

template <int kind>
Kernel of_dimensions(std::uint32_t dimensions) {
  if constexpr (kind == arithmetic::similarity_gaussian) switch (dimensions) {
    case 1: return variant(screen<kind, 1>);
    case 2: return variant(screen<kind, 2>);
    case 3: return variant(screen<kind, 3>);
    case 4: return variant(screen<kind, 4>);
    case 5: return variant(screen<kind, 5>);
    case 6: return variant(screen<kind, 6>);
    case 7: return variant(screen<kind, 7>);
    case 8: return variant(screen<kind, 8>);
    default: break;
  }
  return variant(screen<kind, 0>);
}

}  // namespace

Kernel kernels::signature_screen(const Pass& pass) {
  if (pass.workgroup_size != signature_block) return {};
  return for_similarity(pass.constants[1],
                        [&](auto kind) { return of_dimensions<kind.value>(pass.constants[2]); });
}

}  // namespace proxel::cuda
