#include "kernels/chain.cuh"
#include "kernels/rows.cuh"
#include "kernels/strided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/bvh_axis.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::BvhAxisParameters;

__global__ void __launch_bounds__(1024) axis(const Parameters p) {
  follow_previous_pass();
  for_each_strided(p.rows.count, [&](std::uint64_t row) {
    reinterpret_cast<float*>(p.values)[row] =
        row_address(p.rows, static_cast<std::uint32_t>(row))[std::uint64_t{p.dimension} * p.rows.dimension_stride];
  });
}

}  // namespace

PROXEL_KERNEL(bvh_axis)(const Pass&) { return variant(axis); }

}  // namespace proxel::cuda
