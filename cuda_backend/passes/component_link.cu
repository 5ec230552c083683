#include "kernels/chain.cuh"
#include "kernels/components.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/component_link.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ComponentLinkParameters;

__device__ bool within(const Parameters& p, float distance) {
  return p.largest_first != 0 ? distance >= p.limit : distance <= p.limit;
}

// Whether a row is among the neighbours of another.
__device__ bool has(const Parameters& p, unsigned row, unsigned other) {
  const unsigned* indices = reinterpret_cast<const unsigned*>(p.indices) + std::uint64_t{row} * p.neighbors;
  for (unsigned slot = 0; slot < p.neighbors; ++slot)
    if (indices[slot] == other) return true;
  return false;
}

__device__ void join(volatile unsigned* components, unsigned one, unsigned other) {
  one = component_root(components, one);
  other = component_root(components, other);
  while (one != other) {
    const unsigned larger = max(one, other);
    const unsigned smaller = min(one, other);
    const unsigned before = atomicCAS(const_cast<unsigned*>(components) + larger, larger, smaller);
    if (before == larger) return;
    // Somebody else has hung it elsewhere.
    one = component_root(components, before);
    other = component_root(components, smaller);
  }
}

__global__ void __launch_bounds__(1024) link_components(const Parameters p) {
  follow_previous_pass();
  auto* components = reinterpret_cast<volatile unsigned*>(p.components);
  const auto* distances = reinterpret_cast<const float*>(p.distances);
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < p.rows; i += stride) {
    const auto row = static_cast<unsigned>(i);
    for (std::uint64_t slot = i * p.neighbors; slot < (i + 1) * p.neighbors; ++slot) {
      const unsigned other = reinterpret_cast<const unsigned*>(p.indices)[slot];
      if (other >= p.rows || other == row || (distances && !within(p, distances[slot]))) continue;
      if (p.mutual != 0 && !has(p, other, row)) continue;
      join(components, row, other);
    }
  }
}

}  // namespace

PROXEL_KERNEL(component_link)(const Pass&) { return variant(link_components); }

}  // namespace proxel::cuda
