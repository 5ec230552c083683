#include "kernels/chain.cuh"
#include "kernels/order.cuh"
#include "kernels/strided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/add_row_norms.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::AddRowNormsParameters;

__global__ void __launch_bounds__(1024) add(const Parameters p) {
  follow_previous_pass();
  for_each_strided(std::uint64_t{p.row_count} * p.query_count, [&](std::uint64_t i) {
    const auto row = static_cast<std::uint32_t>(i) / p.query_count;
    const auto query = static_cast<std::uint32_t>(i) % p.query_count;
    const std::uint64_t element = std::uint64_t{row} * p.row_pitch + query;
    const float sum = __fadd_rn(reinterpret_cast<const float*>(p.matrix)[element],
                                __ldg(reinterpret_cast<const float*>(p.norms) + row));
    reinterpret_cast<std::uint32_t*>(p.matrix)[element] = ordered_key<false>(sum);
  });
}

}  // namespace

PROXEL_KERNEL(add_row_norms)(const Pass&) { return variant(add); }

}  // namespace proxel::cuda
