#include "kernels/chain.cuh"
#include "kernels/components.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/component_flatten.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ComponentFlattenParameters;

__global__ void __launch_bounds__(1024) flatten_components(const Parameters p) {
  follow_previous_pass();
  __shared__ unsigned roots;
  if (threadIdx.x == 0) roots = 0;
  __syncthreads();
  auto* components = reinterpret_cast<volatile unsigned*>(p.components);
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < p.rows; i += stride) {
    const auto row = static_cast<unsigned>(i);
    const unsigned root = component_root(components, row);
    if (root == row)
      atomicAdd(&roots, 1u);
    else
      components[row] = root;
  }
  __syncthreads();
  if (threadIdx.x == 0 && roots != 0) atomicAdd(reinterpret_cast<unsigned*>(p.count), roots);
}

}  // namespace

PROXEL_KERNEL(component_flatten)(const Pass&) { return variant(flatten_components); }

}  // namespace proxel::cuda
