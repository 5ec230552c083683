#include "kernels/chain.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/divide_undecided.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::DivideUndecidedParameters;

// How many rows a filter allows, of all threads together.
__device__ unsigned allowed_rows(const Parameters& p, const std::uint32_t* words) {
  __shared__ unsigned allowed;
  if (threadIdx.x == 0) allowed = 0;
  __syncthreads();
  const unsigned last = (p.row_count - 1) / 32;
  unsigned own = 0;
#pragma unroll 4
  for (unsigned word = threadIdx.x; word <= last; word += blockDim.x) {
    const unsigned bits = __ldg(words + word);
    own += __popc(word == last ? bits & 0xFFFFFFFFu >> (31 - (p.row_count - 1) % 32) : bits);
  }
  if (own != 0) atomicAdd(&allowed, own);
  __syncthreads();
  return allowed;
}

__global__ void __launch_bounds__(1024) divide(const Parameters p) {
  follow_previous_pass();
  const auto* undecided = reinterpret_cast<const std::uint32_t*>(p.undecided);
  auto* sparse = reinterpret_cast<std::uint32_t*>(p.sparse);
  auto* others = reinterpret_cast<std::uint32_t*>(p.others);
  const unsigned count = undecided[0];
  unsigned allowed = 0;
  for (unsigned i = blockIdx.x; i < count; i += gridDim.x) {
    const unsigned query = undecided[4 + i];
    const auto* words = reinterpret_cast<const std::uint32_t*>(p.filter_bits) + std::uint64_t{query} * p.filter_stride;
    // A filter that all share is counted once.
    if (i == blockIdx.x || p.filter_stride != 0) allowed = allowed_rows(p, words);
    if (threadIdx.x == 0) {
      auto* list = allowed <= p.most ? sparse : others;
      list[4 + atomicAdd(list, 1u)] = query;
      if (list == sparse) atomicAdd(others + 1, 1u);
    }
    __syncthreads();
  }
}

}  // namespace

PROXEL_KERNEL(divide_undecided)(const Pass&) { return variant(divide); }

}  // namespace proxel::cuda
