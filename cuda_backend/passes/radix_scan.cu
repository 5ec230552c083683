#include "kernels/chain.cuh"
#include "kernels/radix.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/radix_scan.h"

namespace proxel::cuda {
namespace {

__global__ void __launch_bounds__(radix_threads) sum_tiles(const passes::RadixScanParameters p) {
  follow_previous_pass();
  __shared__ unsigned shared[radix_threads / 32];
  __shared__ unsigned last;
  if (gridDim.x == 1) {
    if (threadIdx.x >= p.digits) return;
    const std::uint64_t digit = std::uint64_t{blockIdx.y} * p.digits + threadIdx.x;
    auto* of_digit = reinterpret_cast<unsigned*>(p.counts) + digit * p.tiles;
    unsigned sum = 0;
    for (unsigned tile = 0; tile < p.tiles; ++tile) {
      const unsigned count = of_digit[tile];
      of_digit[tile] = sum;
      sum += count;
    }
    reinterpret_cast<unsigned*>(p.totals)[digit] = sum;
    return;
  }
  const std::uint64_t item = std::uint64_t{blockIdx.y} * p.digits + blockIdx.x;
  auto* counts = reinterpret_cast<unsigned*>(p.counts) + item * p.tiles;
  unsigned before = 0;
  for (unsigned first = 0; first < p.tiles; first += radix_threads) {
    const unsigned tile = first + threadIdx.x;
    const unsigned count = tile < p.tiles ? counts[tile] : 0;
    const unsigned sum = before + sum_before(count, shared);
    if (tile < p.tiles) counts[tile] = sum;
    if (threadIdx.x == radix_threads - 1) last = sum + count;
    __syncthreads();
    before = last;
    __syncthreads();
  }
  if (threadIdx.x == 0) reinterpret_cast<unsigned*>(p.totals)[item] = before;
}

}  // namespace

PROXEL_KERNEL(radix_scan)(const Pass& pass) {
  return pass.workgroup_size == radix_threads ? variant(sum_tiles) : Kernel{};
}

}  // namespace proxel::cuda
