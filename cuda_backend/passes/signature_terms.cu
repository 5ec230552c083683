#include "kernels/chain.cuh"
#include "kernels/signatures.cuh"
#include "proxel/passes/signature_terms.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::SignatureTermsParameters;

template <int kind>
__global__ void __launch_bounds__(signature_block) terms(const Parameters p, const Launch launch) {
  follow_previous_pass();
  __shared__ RoundSums sums;
  __shared__ uint2 spans[signature_block];
  const unsigned lane = threadIdx.x;
  const Signatures signatures(p.signatures, launch.as<passes::SignatureTermsConstants>().dimensions);
  const auto* groups = reinterpret_cast<const unsigned*>(p.groups);
  for (unsigned group = blockIdx.x; group < p.group_count; group += gridDim.x) {
    const unsigned first = groups[group];
    const unsigned count = groups[group + 1] - first;
    if (count == 0) continue;
    __syncthreads();  // the group before has been used
    if (lane < count) spans[lane] = signatures.span(first + lane);
    __syncthreads();
    const unsigned begin = spans[0].x;
    const unsigned end = spans[count - 1].x + spans[count - 1].y;
    float_float own{0, 0};
    for (unsigned round = begin; round < end; round += signature_block) {
      const unsigned place = round + lane;
      if (place < end) {
        const uint2 mine = spans[signature_at(spans, count, place)];
        sums.put(query_sum<kind>(signatures, mine, signatures.coordinates(place), p.alpha), signatures.weight(place));
      }
      __syncthreads();
      if (lane < count) sums.add_to(own, spans[lane], round);
      __syncthreads();
    }
    if (lane < count)
      reinterpret_cast<float2*>(p.signatures.terms)[2 * std::size_t{first + lane}] = make_float2(own.high, own.low);
  }
}

}  // namespace

PROXEL_KERNEL(signature_terms)(const Pass& pass) {
  if (pass.workgroup_size != signature_block) return {};
  return for_similarity(pass.constants_as<passes::SignatureTermsConstants>().similarity,
                        [](auto kind) { return variant(terms<kind.value>); });
}

}  // namespace proxel::cuda
