#include "kernels/chain.cuh"
#include "kernels/decode.cuh"
#include "kernels/strided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/certify_expansion.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::CertifyExpansionParameters;

__device__ __forceinline__ bool certified(const Parameters& p, std::uint64_t query) {
  const Key farthest = reinterpret_cast<const Key*>(p.keys)[query * p.keys_stride + p.k - 1];
  const float screened =
      value_of_key(reinterpret_cast<const std::uint32_t*>(p.screened)[query * p.screened_pitch], false);
  const float norm = reinterpret_cast<const float*>(p.norms)[query];
  const auto dimensions = static_cast<float>(p.dimensions);
  const float scale = __fadd_rn(*reinterpret_cast<const float*>(p.largest), norm);
  const float bound =
      __fadd_rn(__fmul_rn(__fmul_rn(__fadd_rn(dimensions, 8), 0x1p-21f), scale), __fmul_rn(dimensions, 0x1p-120f));
  // Comparisons with NaN are false.
  if (!(scale <= 0x1p120f && dimensions <= 0x1p20f)) return false;
  return screened != screened ||
         __fsub_rn(__fadd_rn(screened, norm), bound) > value_of_key(static_cast<std::uint32_t>(farthest >> 32), false);
}

__global__ void __launch_bounds__(1024) certify(const Parameters p) {
  follow_previous_pass();
  for_each_strided(p.query_count, [&](std::uint64_t query) {
    if (certified(p, query)) return;
    auto* undecided = reinterpret_cast<std::uint32_t*>(p.undecided);
    undecided[4 + atomicAdd(undecided, 1u)] = p.first_query + static_cast<std::uint32_t>(query);
  });
}

}  // namespace

PROXEL_KERNEL(certify_expansion)(const Pass&) { return variant(certify); }

}  // namespace proxel::cuda
