#include "kernels/chain.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/signature_survivors.h"

namespace proxel::cuda {
namespace {

using passes::signature_block;
using Parameters = passes::SignatureSurvivorsParameters;

// The largest square, at least 0, of all threads of the block.
__device__ float largest_square(const float* squares, unsigned count) {
  __shared__ float largest[signature_block];
  float mine = 0;
  for (unsigned i = threadIdx.x; i < count; i += signature_block) mine = fmaxf(mine, squares[i]);
  largest[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned i = 0; i < signature_block; ++i) mine = fmaxf(mine, largest[i]);
  return mine;
}

__global__ void __launch_bounds__(signature_block) survivors(const Parameters p) {
  follow_previous_pass();
  __shared__ unsigned listed, begin;
  const unsigned query = blockIdx.y;
  float limit = reinterpret_cast<const float*>(p.limits)[query];
  if (p.squares != 0) {
    const float largest = largest_square(reinterpret_cast<const float*>(p.squares) + std::uint64_t{query} * p.k, p.k);
    limit = __fadd_rn(__fadd_rn(largest, __fmul_rn(largest, 0x1p-20f)), limit);
  }
  float* bounds = reinterpret_cast<float*>(p.bounds) + std::uint64_t{query} * p.bound_stride;
  auto* list = reinterpret_cast<unsigned*>(p.lists) + std::uint64_t{query} * p.bound_stride;
  for (unsigned first = blockIdx.x * signature_block; first < p.objects; first += gridDim.x * signature_block) {
    const unsigned object = first + threadIdx.x;
    if (threadIdx.x == 0) listed = 0;
    __syncthreads();
    unsigned place = 0;
    const bool near = object < p.objects && bounds[object] <= limit;
    if (near) place = atomicAdd(&listed, 1u);
    if (object < p.objects && !near) bounds[object] = __uint_as_float(0x7FC00000u);
    __syncthreads();
    if (threadIdx.x == 0 && listed != 0) begin = atomicAdd(reinterpret_cast<unsigned*>(p.counts) + query, listed);
    __syncthreads();
    if (near) list[begin + place] = object;
  }
}

}  // namespace

PROXEL_KERNEL(signature_survivors)(const Pass& pass) {
  return pass.workgroup_size == signature_block ? variant(survivors) : Kernel{};
}

}  // namespace proxel::cuda
