#include "kernels/chain.cuh"
#include "kernels/radix.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/radix_count.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::RadixCountParameters;

template <bool largest_first>
__global__ void __launch_bounds__(radix_threads) count_tile(const Parameters p) {
  follow_previous_pass();
  __shared__ unsigned counts[radix_digits];
  const std::uint64_t tiles = (std::uint64_t{p.source.count} + radix_tile - 1) / radix_tile;
  const std::uint64_t tile = std::uint64_t{blockIdx.z} * gridDim.x + blockIdx.x;
  if (tile >= tiles) return;
  const std::uint64_t row = blockIdx.y;
  counts[threadIdx.x] = 0;
  const RadixKeys<largest_first> keys(p.rows, p.source, row);
  __syncthreads();
  unsigned digits[radix_items];
#pragma unroll
  for (unsigned i = 0; i < radix_items; ++i) {
    const std::uint64_t item = tile * radix_tile + i * radix_threads + threadIdx.x;
    digits[i] = item < p.source.count ? keys.digit(keys.key(static_cast<unsigned>(item))) : not_counted;
  }
  DigitCounter counter(counts);
#pragma unroll
  for (unsigned i = 0; i < radix_items; ++i) counter.count(digits[i]);
  counter.flush();
  __syncthreads();
  if (threadIdx.x < p.digits)
    reinterpret_cast<unsigned*>(p.counts)[(row * p.digits + threadIdx.x) * tiles + tile] = counts[threadIdx.x];
}

}  // namespace

PROXEL_KERNEL(radix_count)(const Pass& pass) {
  if (pass.workgroup_size != radix_threads) return {};
  return pass.constants_as<passes::RadixCountConstants>().largest_first != 0 ? variant(count_tile<true>)
                                                                             : variant(count_tile<false>);
}

}  // namespace proxel::cuda
