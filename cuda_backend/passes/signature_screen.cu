#include "kernels/chain.cuh"
#include "kernels/rough_similarity.cuh"
#include "kernels/signatures.cuh"
#include "proxel/passes/signature_screen.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::SignatureScreenParameters;
using passes::signature_screen_queries;

// Threads of a workgroup, and places that each takes of a block: what is loaded of a query's centroids
// serves several, or loading would take longer than computing.
constexpr unsigned threads = 32;
constexpr unsigned places = signature_block / threads;

// Adds the squares of four centroids of a query, which are 16-byte aligned.
__device__ __forceinline__ void add_squares(const float* query, const float (&mine)[places],
                                            float (&squared)[places][4]) {
  const float4 four = __ldg(reinterpret_cast<const float4*>(query));
#pragma unroll
  for (unsigned s = 0; s < places; ++s) {
    add_square(four.x, mine[s], squared[s][0]);
    add_square(four.y, mine[s], squared[s][1]);
    add_square(four.z, mine[s], squared[s][2]);
    add_square(four.w, mine[s], squared[s][3]);
  }
}

// Coordinate k of the thread's places.
__device__ __forceinline__ void load(float (&mine)[places], const float* object) {
#pragma unroll
  for (unsigned s = 0; s < places; ++s) mine[s] = __ldg(object + s * threads);
}

// The sums over a query's centroids, four at a time.
// @tparam dimensions  whose coordinates are in `own`; 0: any number, read from `object`
template <int kind, unsigned dimensions>
__device__ __forceinline__ void weighted_sums(const Signatures& queries, uint2 query, const float (*own)[places],
                                              const float* object, float factor, float (&sums)[places]) {
  for (unsigned i = 0; i < query.y; i += 4) {
    const float* centroids = queries.coordinates(query.x + i);
    float squared[places][4] = {};
    if constexpr (dimensions != 0) {
#pragma unroll
      for (unsigned k = 0; k < dimensions; ++k) add_squares(centroids + k * signature_block, own[k], squared);
    } else {
#pragma unroll 2
      for (unsigned k = 0; k < queries.dimensions(); ++k) {
        float mine[places];
        load(mine, object + std::size_t{k} * signature_block);
        add_squares(centroids + std::size_t{k} * signature_block, mine, squared);
      }
    }
    const float4 weights = __ldg(reinterpret_cast<const float4*>(queries.weights(query.x + i)));
#pragma unroll
    for (unsigned s = 0; s < places; ++s) {
      sums[s] = __fmaf_rn(weights.x, rough_similarity<kind>(squared[s][0], factor), sums[s]);
      sums[s] = __fmaf_rn(weights.y, rough_similarity<kind>(squared[s][1], factor), sums[s]);
      sums[s] = __fmaf_rn(weights.z, rough_similarity<kind>(squared[s][2], factor), sums[s]);
      sums[s] = __fmaf_rn(weights.w, rough_similarity<kind>(squared[s][3], factor), sums[s]);
    }
  }
}

template <int kind, unsigned dimensions>
__global__ void __launch_bounds__(threads) screen(const Parameters p, const Launch launch) {
  follow_previous_pass();
  __shared__ float products[signature_screen_queries][signature_block];
  __shared__ uint2 spans[signature_block];
  const unsigned lane = threadIdx.x;
  const unsigned first_query = blockIdx.y * signature_screen_queries;
  const unsigned query_count = min(signature_screen_queries, p.query_count - first_query);
  const unsigned all_dimensions =
      dimensions != 0 ? dimensions : launch.as<passes::SignatureScreenConstants>().dimensions;
  const Signatures queries(p.queries, all_dimensions), objects(p.objects, all_dimensions);
  const auto* groups = reinterpret_cast<const unsigned*>(p.groups);
  for (unsigned group = blockIdx.x; group < p.group_count; group += gridDim.x) {
    const unsigned first = groups[group];
    const unsigned count = groups[group + 1] - first;
    if (count == 0) continue;
    __syncthreads();  // the group before has been used
    for (unsigned i = lane; i < count; i += threads) spans[i] = objects.span(first + i);
    __syncthreads();
    const unsigned begin = spans[0].x;
    const unsigned end = spans[count - 1].x + spans[count - 1].y;
    float carried = 0;  // of a signature of several rounds
    for (unsigned round = begin; round < end; round += signature_block) {
      // Places behind the last signature have coordinates too, and no weight.
      const float* object = objects.coordinates(round + lane);
      float own[dimensions == 0 ? 1 : dimensions][places];
      if constexpr (dimensions != 0) {
#pragma unroll
        for (unsigned k = 0; k < dimensions; ++k) load(own[k], object + k * signature_block);
      }
      float weights[places];
      load(weights, objects.weights(round + lane));
      for (unsigned q = 0; q < query_count; ++q) {
        float sums[places] = {};
        weighted_sums<kind, dimensions>(queries, queries.span(first_query + q), own, object, p.factor, sums);
#pragma unroll
        for (unsigned s = 0; s < places; ++s) products[q][s * threads + lane] = weights[s] * sums[s];
      }
      __syncthreads();
      const unsigned stop = min(end - round, signature_block);
      for (unsigned i = lane; i < query_count * count; i += threads) {
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
            arithmetic::screened_square(queries.terms(query), objects.terms(signature), cross,
                                        static_cast<int>(p.unit));
      }
      __syncthreads();
    }
  }
}

template <int kind>
Kernel of_dimensions(std::uint32_t dimensions) {
  const auto variant = [](auto function) {
    Kernel kernel = cuda::variant(function);
    kernel.workgroup_size = threads;
    return kernel;
  };
  if constexpr (kind == arithmetic::similarity_gaussian) switch (dimensions) {
      case 1:
        return variant(screen<kind, 1>);
      case 2:
        return variant(screen<kind, 2>);
      case 3:
        return variant(screen<kind, 3>);
      case 4:
        return variant(screen<kind, 4>);
      case 5:
        return variant(screen<kind, 5>);
      case 6:
        return variant(screen<kind, 6>);
      case 7:
        return variant(screen<kind, 7>);
      case 8:
        return variant(screen<kind, 8>);
      default:
        break;
    }
  return variant(screen<kind, 0>);
}

}  // namespace

PROXEL_KERNEL(signature_screen)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::SignatureScreenConstants>();
  return for_similarity(constants.similarity,
                        [&](auto kind) { return of_dimensions<kind.value>(constants.dimensions); });
}

}  // namespace proxel::cuda
