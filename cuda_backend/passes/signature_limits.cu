#include "kernels/chain.cuh"
#include "kernels/strided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/signature_limits.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::SignatureLimitsParameters;

__global__ void __launch_bounds__(1024) limits(const Parameters p) {
  follow_previous_pass();
  for_each_strided(p.query_count, [&](std::uint64_t query) {
    const float value = fmaxf(reinterpret_cast<const float*>(p.selected)[query * p.k + p.k - 1], 0.0f);
    const float slack = __fmul_rn(value, 0x1p-20f);
    reinterpret_cast<float*>(p.limits)[query] =
        __fadd_rn(__fadd_rn(value, slack), reinterpret_cast<const float*>(p.margins)[query]);
  });
}

}  // namespace

PROXEL_KERNEL(signature_limits)(const Pass&) { return variant(limits); }

}  // namespace proxel::cuda
