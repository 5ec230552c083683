#include "kernels/chain.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/signature_bounds.h"

namespace proxel::cuda {
namespace {

using passes::signature_block;
using passes::signature_pivots;
using Parameters = passes::SignatureBoundsParameters;

constexpr unsigned pairs = signature_pivots * signature_pivots;
constexpr unsigned at_a_time = 8;  // pivots whose distances are in registers

// A query's intervals, and what a pair's distances to an object are multiplied with.
struct Factors {
  alignas(16) float of_near[pairs], of_other[pairs];
  float low[signature_pivots], high[signature_pivots];

  __device__ void prepare(const Parameters& p, unsigned query) {
    if (threadIdx.x < signature_pivots) {
      low[threadIdx.x] = high[threadIdx.x] = 0;
      if (threadIdx.x < p.pivots) {
        const float distance =
            reinterpret_cast<const float*>(p.query_distances)[query * signature_pivots + threadIdx.x];
        const float error = reinterpret_cast<const float*>(p.query_errors)[query];
        const float square = __fmul_rn(distance, distance), some = __fmul_rn(square, 0x1p-20f);
        const float least = __fsqrt_rn(fmaxf(__fsub_rn(__fsub_rn(square, some), error), 0.0f));
        const float most = __fsqrt_rn(__fadd_rn(__fadd_rn(square, some), error));
        low[threadIdx.x] = __fsub_rn(least, __fmul_rn(least, 0x1p-20f));
        high[threadIdx.x] = __fadd_rn(most, __fmul_rn(most, 0x1p-20f));
      }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < pairs; i += signature_block) {
      of_near[i] = __fmul_rn(low[i % signature_pivots], reinterpret_cast<const float*>(p.inverse_low)[i]);
      of_other[i] = __fmul_rn(high[i / signature_pivots], reinterpret_cast<const float*>(p.inverse_high)[i]);
    }
    __syncthreads();
  }
};

// The factors of eight pairs, in two loads.
__device__ __forceinline__ void take(const float* from, float (&factors)[at_a_time]) {
  const float4 first = reinterpret_cast<const float4*>(from)[0], second = reinterpret_cast<const float4*>(from)[1];
  factors[0] = first.x;
  factors[1] = first.y;
  factors[2] = first.z;
  factors[3] = first.w;
  factors[4] = second.x;
  factors[5] = second.y;
  factors[6] = second.z;
  factors[7] = second.w;
}

__global__ void __launch_bounds__(signature_block) bounds(const Parameters p) {
  follow_previous_pass();
  __shared__ Factors factors;
  factors.prepare(p, blockIdx.y);
  float* row = reinterpret_cast<float*>(p.bounds) + std::uint64_t{blockIdx.y} * p.bound_stride;
  for (unsigned object = blockIdx.x * signature_block + threadIdx.x; object < p.objects;
       object += gridDim.x * signature_block) {
    const float* low = reinterpret_cast<const float*>(p.low) + object;
    const float* high = reinterpret_cast<const float*>(p.high) + object;
    float bound = 0;
    for (unsigned first = 0; first < signature_pivots; first += at_a_time) {
      float far[at_a_time];
#pragma unroll
      for (unsigned j = 0; j < at_a_time; ++j) {
        const std::uint64_t place = std::uint64_t{first + j} * p.object_stride;
        far[j] = __ldg(high + place);
        bound = fmaxf(bound, fmaxf(__fsub_rn(factors.low[first + j], far[j]),
                                   __fsub_rn(__ldg(low + place), factors.high[first + j])));
      }
      for (unsigned near = 0; near < signature_pivots; ++near) {
        const float to_near = __ldg(low + std::uint64_t{near} * p.object_stride);
        float of_near[at_a_time], of_other[at_a_time];
        take(factors.of_near + near * signature_pivots + first, of_near);
        take(factors.of_other + near * signature_pivots + first, of_other);
#pragma unroll
        for (unsigned j = 0; j < at_a_time; ++j)
          bound = fmaxf(bound, __fsub_rn(__fmul_rn(of_near[j], to_near), __fmul_rn(of_other[j], far[j])));
      }
    }
    const float square = __fmul_rn(bound, bound);
    row[object] = __fsub_rn(square, __fmul_rn(square, 0x1p-19f));
  }
}

}  // namespace

PROXEL_KERNEL(signature_bounds)(const Pass& pass) {
  return pass.workgroup_size == signature_block ? variant(bounds) : Kernel{};
}

}  // namespace proxel::cuda
