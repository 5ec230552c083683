#include "kernels/chain.cuh"
#include "kernels/signatures.cuh"
#include "proxel/passes/signature_distance.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::SignatureDistanceParameters;

// The row of one query.
class Row {
 public:
  __device__ __forceinline__ explicit Row(const Parameters& p)
      : distances_(reinterpret_cast<float*>(p.distances) + std::uint64_t{blockIdx.y} * p.distance_stride),
        limited_(p.limits != 0),
        limit_(limited_ ? reinterpret_cast<const float*>(p.limits)[blockIdx.y] : 0) {}

  __device__ __forceinline__ bool is_near(unsigned signature) const {
    return !limited_ || distances_[signature] <= limit_;
  }
  /// Leaves out what is not near. Returns whether anything is.
  __device__ __forceinline__ bool pass_over(unsigned first, unsigned end) {
    if (!limited_) return true;
    bool any = false;
    for (unsigned signature = first; signature < end; ++signature)
      if (is_near(signature))
        any = true;
      else
        distances_[signature] = __uint_as_float(0x7FC00000u);
    return any;
  }
  __device__ __forceinline__ void put(unsigned signature, float distance) { distances_[signature] = distance; }

 private:
  float* distances_;
  bool limited_;
  float limit_;
};

template <int kind>
__device__ void compute(const Parameters& p, unsigned dimensions, Row& row, unsigned first, unsigned count) {
  __shared__ RoundSums sums;
  __shared__ uint2 spans[signature_block];  // centroids of 0 where a signature is passed over
  const unsigned lane = threadIdx.x, query = blockIdx.y;
  const Signatures queries(p.queries, dimensions), objects(p.objects, dimensions);
  __syncthreads();  // the group before has been used
  const bool near = lane < count && row.is_near(first + lane);
  uint2 span = make_uint2(0, 0);
  if (lane < count) {
    span = objects.span(first + lane);
    spans[lane] = make_uint2(span.x, near ? span.y : 0);
  }
  const unsigned near_ones = __syncthreads_count(near);
  if (lane == 0) atomicAdd(reinterpret_cast<unsigned*>(p.evaluated) + query, near_ones);
  const uint2 query_span = queries.span(query);
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
  if (!near) return;
  const arithmetic::signature_terms query_terms = queries.terms(query), terms = objects.terms(first + lane);
  const float square = arithmetic::signature_square(query_terms, terms, cross, static_cast<int>(p.unit));
  row.put(first + lane, arithmetic::scaled_root(__fsqrt_rn(square), query_terms, terms));
}

template <int kind>
__global__ void __launch_bounds__(signature_block) distances(const Parameters p, const Launch launch) {
  follow_previous_pass();
  constexpr unsigned words = signature_block / 32;
  __shared__ unsigned near_groups[words];  // a bit per group of a tile: something of it is near
  Row row(p);
  const auto* groups = reinterpret_cast<const unsigned*>(p.groups);
  const unsigned share = (p.group_count - 1) / gridDim.x + 1;
  const unsigned end = min((blockIdx.x + 1) * share, p.group_count);
  // A thread looks at a group each; then all compute those where something is near.
  for (unsigned tile = blockIdx.x * share; tile < end; tile += signature_block) {
    const unsigned mine = tile + threadIdx.x;
    const bool near = mine < end && groups[mine] < groups[mine + 1] && row.pass_over(groups[mine], groups[mine + 1]);
    __syncthreads();  // the tile before has been used
    const unsigned bits_of_warp = __ballot_sync(~0u, near);
    if (threadIdx.x % 32 == 0) near_groups[threadIdx.x / 32] = bits_of_warp;
    __syncthreads();
    for (unsigned word = 0; word < words; ++word)
      for (unsigned bits = near_groups[word]; bits != 0; bits &= bits - 1) {
        const unsigned group = tile + 32 * word + __ffs(static_cast<int>(bits)) - 1;
        compute<kind>(p, launch.as<passes::SignatureDistanceConstants>().dimensions, row, groups[group],
                      groups[group + 1] - groups[group]);
      }
  }
}

}  // namespace

PROXEL_KERNEL(signature_distance)(const Pass& pass) {
  if (pass.workgroup_size != signature_block) return {};
  return for_similarity(pass.constants_as<passes::SignatureDistanceConstants>().similarity,
                        [](auto kind) { return variant(distances<kind.value>); });
}

}  // namespace proxel::cuda
