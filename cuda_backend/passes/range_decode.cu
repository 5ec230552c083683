#include "kernels/chain.cuh"
#include "kernels/decode.cuh"
#include "kernels/matches.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/range_decode.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::RangeDecodeParameters;

__global__ void __launch_bounds__(1024) decode_matches(const Parameters p) {
  follow_previous_pass();
  const Matches matches(p.offsets, blockIdx.y, p.capacity);
  auto* distances = reinterpret_cast<std::uint32_t*>(p.distances) + matches.first;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < matches.count; i += stride)
    distances[i] = __float_as_uint(decoded_distance(make_key(distances[i], 0), p.largest_first != 0, p.finish));
}

}  // namespace

PROXEL_KERNEL(range_decode)(const Pass&) { return variant(decode_matches); }

}  // namespace proxel::cuda
