#include "kernels/chain.cuh"
#include "kernels/signatures.cuh"
#include "proxel/passes/signature_distance.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::SignatureDistanceParameters;

template <int kind>
__global__ void __launch_bounds__(signature_block) distances(const Parameters p, const Launch launch) {
  follow_previous_pass();
  __shared__ RoundSums sums;
  __shared__ uint2 spans[signature_block];  // centroids of 0 where a signature is passed over
  const unsigned lane = threadIdx.x;
  const unsigned query = blockIdx.y;
  const Signatures queries(p.queries, launch.constants[2]), objects(p.objects, launch.constants[2]);
  const uint2 query_span = queries.span(query);
  const arithmetic::signature_terms query_terms = queries.terms(query);
  float* row = reinterpret_cast<float*>(p.distances) + std::uint64_t{query} * p.distance_stride;
  const auto* groups = reinterpret_cast<const unsigned*>(p.groups);
  for (unsigned group = blockIdx.x; group < p.group_count; group += gridDim.x) {
    const unsigned first = groups[group];
    const unsigned count = groups[group + 1] - first;
    if (count == 0) continue;
    __syncthreads();  // the group before has been used
    bool near = lane < count;
    uint2 span = make_uint2(0, 0);
    if (lane < count) {
      span = objects.span(first + lane);
      if (p.limits != 0) {
        near = row[first + lane] <= reinterpret_cast<const float*>(p.limits)[query];
        if (!near) row[first + lane] = __uint_as_float(0x7FC00000u);
      }
      spans[lane] = make_uint2(span.x, near ? span.y : 0);
    }
    const unsigned near_ones = __syncthreads_count(near);
    if (near_ones == 0) continue;
    if (lane == 0) atomicAdd(reinterpret_cast<unsigned*>(p.evaluated) + query, near_ones);
    const unsigned begin = spans[0].x;
    const unsigned end = spans[count - 1].x + spans[count - 1].y;
    float_float cross{0, 0};
    for (unsigned round = begin; round < end; round += signature_block) {
      const unsigned place = round + lane;
      const uint2 mine = spans[signature_at(spans, count, place)];
      if (place < mine.x + mine.y)
        sums.put(query_sum<kind>(queries, query_span, objects.coordinates(place), p.alpha), objects.weight(place));
      __syncthreads();
      if (near) sums.add_to(cross, span, round);
      __syncthreads();
    }
    if (near) {
      const arithmetic::signature_terms terms = objects.terms(first + lane);
      const float square = arithmetic::signature_square(query_terms, terms, cross, static_cast<int>(p.unit));
      row[first + lane] = arithmetic::scaled_root(__fsqrt_rn(square), query_terms, terms);
    }
  }
}

}  // namespace

Kernel kernels::signature_distance(const Pass& pass) {
  if (pass.workgroup_size != signature_block) return {};
  return for_similarity(pass.constants[1], [](auto kind) { return variant(distances<kind.value>); });
}

}  // namespace proxel::cuda
