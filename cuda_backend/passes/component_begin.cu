#include "kernels/chain.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/component_begin.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ComponentBeginParameters;

__global__ void __launch_bounds__(1024) begin_components(const Parameters p) {
  follow_previous_pass();
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < p.rows; i += stride)
    reinterpret_cast<unsigned*>(p.components)[i] = static_cast<unsigned>(i);
  if (blockIdx.x == 0 && threadIdx.x == 0) *reinterpret_cast<unsigned*>(p.count) = 0;
}

}  // namespace

PROXEL_KERNEL(component_begin)(const Pass&) { return variant(begin_components); }

}  // namespace proxel::cuda
