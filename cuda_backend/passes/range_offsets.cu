#include "kernels/chain.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/range_offsets.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::RangeOffsetsParameters;

constexpr unsigned threads = 128;
// Counters that a thread takes at a time.
constexpr unsigned together = 8;

__global__ void __launch_bounds__(threads) prefix_sums(const Parameters p) {
  follow_previous_pass();
  __shared__ std::uint64_t sums[threads];
  const auto* counters = reinterpret_cast<const std::uint32_t*>(p.counters);
  auto* offsets = reinterpret_cast<std::uint64_t*>(p.offsets);
  std::uint64_t before = p.continues != 0 ? offsets[0] : 0;
  if (threadIdx.x == 0) offsets[0] = before;
  for (std::uint64_t base = 0; base < p.queries; base += together * threads) {
    const std::uint64_t first = base + together * threadIdx.x;
    std::uint64_t own[together];
    std::uint64_t sum = 0;
#pragma unroll
    for (unsigned i = 0; i < together; ++i) {
      if (first + i < p.queries) sum += counters[first + i];
      own[i] = sum;
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned reach = 1; reach < threads; reach *= 2) {
      const std::uint64_t other = threadIdx.x >= reach ? sums[threadIdx.x - reach] : 0;
      __syncthreads();
      sums[threadIdx.x] += other;
      __syncthreads();
    }
    const std::uint64_t start = before + sums[threadIdx.x] - sum;
    before += sums[threads - 1];
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < together; ++i)
      if (first + i < p.queries) offsets[first + i + 1] = start + own[i];
  }
}

}  // namespace

PROXEL_KERNEL(range_offsets)(const Pass& pass) {
  if (pass.workgroup_size != threads) return {};
  return variant(prefix_sums);
}

}  // namespace proxel::cuda
