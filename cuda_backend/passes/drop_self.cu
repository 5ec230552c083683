#include "kernels/chain.cuh"
#include "kernels/counted.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/drop_self.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::DropSelfParameters;

__global__ void __launch_bounds__(1024) drop(const Parameters p) {
  follow_previous_pass();
  // Where each team's query has its own row.
  __shared__ unsigned places[1024];
  const unsigned team = threadIdx.x / p.lanes;
  const unsigned lane = threadIdx.x % p.lanes;
  const unsigned teams = blockDim.x / p.lanes;
  const std::uint64_t blocks = (std::uint64_t{p.queries} + teams - 1) / teams;
  for (std::uint64_t block = blockIdx.x; block < blocks; block += gridDim.x) {
    const std::uint64_t query = block * teams + team;
    const bool there = query < p.queries && !past_counted(p.counted, query);
    const std::uint64_t first_found = query * (std::uint64_t{p.k} + 1);
    const auto* found = reinterpret_cast<const unsigned*>(p.found_indices) + first_found;
    if (lane == 0) places[team] = p.k;
    __syncthreads();
    if (there) {
      const unsigned self = reinterpret_cast<const unsigned*>(p.self)[query];
      for (std::uint64_t slot = lane; slot < p.k; slot += p.lanes)
        if (found[slot] == self) atomicMin(&places[team], static_cast<unsigned>(slot));
    }
    __syncthreads();
    const unsigned place = places[team];
    if (there) {
      const auto* found_distances = reinterpret_cast<const float*>(p.found_distances) + first_found;
      auto* indices = reinterpret_cast<unsigned*>(p.indices) + query * p.k;
      auto* distances = reinterpret_cast<float*>(p.distances) + query * p.k;
      for (std::uint64_t slot = lane; slot < p.k; slot += p.lanes) {
        const std::uint64_t from = slot < place ? slot : slot + 1;
        indices[slot] = found[from];
        distances[slot] = found_distances[from];
      }
    }
    __syncthreads();  // the place is written anew
  }
}

}  // namespace

PROXEL_KERNEL(drop_self)(const Pass& pass) {
  const std::uint32_t lanes = pass.as<Parameters>().lanes;
  if (pass.workgroup_size > 1024 || lanes == 0 || pass.workgroup_size % lanes != 0) return {};
  return variant(drop);
}

}  // namespace proxel::cuda
