#include "kernels/canonical.cuh"
#include "kernels/chain.cuh"
#include "kernels/rows.cuh"
#include "kernels/strided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/squared_norms.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::SquaredNormsParameters;

__global__ void __launch_bounds__(1024) norms(const Parameters p) {
  follow_previous_pass();
  __shared__ std::uint32_t largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  for_each_strided(p.row_count, [&](std::uint64_t i) {
    const float* values = row_address(p.rows, p.first_row + static_cast<std::uint32_t>(i));
    float norm = 0;
#pragma unroll 8
    for (std::uint32_t j = 0; j < p.dimensions; ++j) {
      const float value = __ldg(values + std::uint64_t{j} * p.rows.dimension_stride);
      norm = step<Metric::ip>(norm, value, value);
    }
    const bool number = norm == norm;
    reinterpret_cast<float*>(p.norms)[i] = number ? norm : __uint_as_float(0x7FC00000u);
    if (number) atomicMax(&largest, __float_as_uint(norm));
  });
  if (p.largest == 0) return;
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(reinterpret_cast<std::uint32_t*>(p.largest), largest);
}

}  // namespace

PROXEL_KERNEL(squared_norms)(const Pass&) { return variant(norms); }

}  // namespace proxel::cuda
