#include "kernels/chain.cuh"
#include "kernels/counted.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/drop_self.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::DropSelfParameters;

// Items are counted in 64 bits, because the next could pass 2^32; their numbers fit 32, which divide faster.
__global__ void __launch_bounds__(1024) drop(const Parameters p) {
  follow_previous_pass();
  // Where each query of the block has its own row.
  __shared__ unsigned places[passes::drop_self_queries];
  const std::uint64_t queries = counted_queries(p.counted, p.queries);
  const unsigned width = p.k + 1;
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * p.block; first < queries;
       first += std::uint64_t{gridDim.x} * p.block) {
    const std::uint64_t there = min(std::uint64_t{p.block}, queries - first);
    for (std::uint64_t query = threadIdx.x; query < there; query += blockDim.x) places[query] = p.k;
    __syncthreads();
    const auto* self = reinterpret_cast<const unsigned*>(p.self) + first;
    const auto* found = reinterpret_cast<const unsigned*>(p.found_indices) + first * width;
    for (std::uint64_t entry = threadIdx.x; entry < there * width; entry += blockDim.x) {
      const unsigned query = static_cast<unsigned>(entry) / width;
      // The last goes where none is found before it, whatever it is.
      if (found[entry] == self[query]) atomicMin(&places[query], static_cast<unsigned>(entry) - query * width);
    }
    __syncthreads();
    const auto* found_distances = reinterpret_cast<const float*>(p.found_distances) + first * width;
    auto* indices = reinterpret_cast<unsigned*>(p.indices) + first * p.k;
    auto* distances = reinterpret_cast<float*>(p.distances) + first * p.k;
    for (std::uint64_t slot = threadIdx.x; slot < there * p.k; slot += blockDim.x) {
      const unsigned query = static_cast<unsigned>(slot) / p.k;
      // A list before this one has a slot more than its answer, and this one what goes.
      const bool before = static_cast<unsigned>(slot) - query * p.k < places[query];
      const std::uint64_t from = slot + query + (before ? 0 : 1);
      indices[slot] = found[from];
      distances[slot] = found_distances[from];
    }
    __syncthreads();  // the places are written anew
  }
}

}  // namespace

PROXEL_KERNEL(drop_self)(const Pass& pass) {
  const std::uint32_t block = pass.as<Parameters>().block;
  if (pass.workgroup_size > 1024 || block == 0 || block > passes::drop_self_queries) return {};
  return variant(drop);
}

}  // namespace proxel::cuda
