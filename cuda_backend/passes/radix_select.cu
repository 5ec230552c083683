#include "kernels/chain.cuh"
#include "kernels/radix.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/radix_select.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::RadixSelectParameters;

template <bool largest_first>
__global__ void __launch_bounds__(radix_threads) count_digits(const Parameters p) {
  follow_previous_pass();
  __shared__ unsigned counts[radix_digits];
  const std::uint64_t row = blockIdx.y;
  auto* histograms = reinterpret_cast<unsigned*>(p.histograms) + row * 4 * radix_digits;
  const unsigned shift = 24 - 8 * p.round;
  counts[threadIdx.x] = 0;
  const unsigned prefix = radix_prefix(histograms, p.round, p.k);
  __syncthreads();
  const float* values = reinterpret_cast<const float*>(p.rows.values) + row * p.rows.row_stride;
  const std::uint64_t step = std::uint64_t{gridDim.x} * radix_tile;
  DigitCounter counter(counts);
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * radix_tile; first < p.rows.columns; first += step) {
    std::uint32_t keys[radix_items];
#pragma unroll
    for (unsigned i = 0; i < radix_items; ++i) {
      const std::uint64_t column = first + i * radix_threads + threadIdx.x;
      keys[i] = column < p.rows.columns ? ordered_key<largest_first>(values[column]) : 0;
    }
#pragma unroll
    for (unsigned i = 0; i < radix_items; ++i) {
      const std::uint64_t column = first + i * radix_threads + threadIdx.x;
      // 64 bits: nothing is left of a key that is moved by 32.
      if (column < p.rows.columns && (std::uint64_t{keys[i]} >> shift >> 8) == prefix)
        counter.count(keys[i] >> shift & (radix_digits - 1));
    }
  }
  counter.flush();
  __syncthreads();
  if (counts[threadIdx.x] != 0) atomicAdd(&histograms[p.round * radix_digits + threadIdx.x], counts[threadIdx.x]);
}

}  // namespace

PROXEL_KERNEL(radix_select)(const Pass& pass) {
  if (pass.workgroup_size != radix_threads) return {};
  return pass.constants_as<passes::RadixSelectConstants>().largest_first != 0 ? variant(count_digits<true>)
                                                                              : variant(count_digits<false>);
}

}  // namespace proxel::cuda
