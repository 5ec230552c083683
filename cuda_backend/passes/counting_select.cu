#include "kernels/chain.cuh"
#include "kernels/order.cuh"
#include "kernels/variant.cuh"
#include "kernels/warp_sum.cuh"
#include "proxel/passes/counting_select.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::CountingSelectParameters;

constexpr unsigned most_warps = 32;

struct Sums {
  unsigned before;  // of the threads before this one
  unsigned all;
};

// One number per thread; one barrier.
// @param shared  a number per warp; in use until the next barrier
__device__ __forceinline__ Sums sums_of(unsigned number, unsigned* shared) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned sum = warp_sum_through(number);
  if (lane == 31) shared[warp] = sum;
  __syncthreads();
  Sums sums{sum - number, 0};
  for (unsigned i = 0; i < blockDim.x / 32; ++i) {
    if (i < warp) sums.before += shared[i];
    sums.all += shared[i];
  }
  return sums;
}

// Sixteen bytes of a row.
template <unsigned bytes>
struct Vector {
  static constexpr unsigned numbers = 16 / bytes;
  uint4 words;

  __device__ __forceinline__ unsigned operator[](unsigned i) const {
    const unsigned four[4] = {words.x, words.y, words.z, words.w};
    if constexpr (bytes == 4) return four[i];
    return i % 2 == 0 ? four[i / 2] & 0xFFFFu : four[i / 2] >> 16;
  }
};

template <unsigned bytes>
__global__ void __launch_bounds__(1024) counting_select(const Parameters p, const Launch launch) {
  follow_previous_pass();
  using Numbers = Vector<bytes>;
  extern __shared__ unsigned counters[];
  __shared__ unsigned warps[2][most_warps];
  __shared__ unsigned found_range;
  __shared__ unsigned found_before;
  const std::uint64_t row = std::uint64_t{blockIdx.y} * gridDim.x + blockIdx.x;
  if (row >= p.rows) return;
  const auto* vectors = reinterpret_cast<const uint4*>(p.numbers + row * p.row_stride * bytes);
  const unsigned count = (p.columns - 1) / Numbers::numbers + 1;

  // The k-th smallest is among low … low + span, as the wanted-th of those.
  unsigned low = 0;
  unsigned span = p.largest;
  unsigned wanted = p.k;
  for (;;) {
    unsigned shift = 0;
    while (span >> shift >= launch.as<passes::CountingSelectConstants>().counters) ++shift;
    const unsigned ranges = (span >> shift) + 1;
    for (unsigned i = threadIdx.x; i < ranges; i += blockDim.x) counters[i] = 0;
    __syncthreads();
#pragma unroll 2
    for (unsigned v = threadIdx.x; v < count; v += blockDim.x) {
      const Numbers numbers{__ldg(vectors + v)};
      const unsigned left = p.columns - v * Numbers::numbers;
#pragma unroll
      for (unsigned i = 0; i < Numbers::numbers; ++i) {
        const unsigned above = numbers[i] - low;
        if (above <= span && i < left) atomicAdd(&counters[above >> shift], 1u);
      }
    }
    __syncthreads();
    const unsigned each = (ranges - 1) / blockDim.x + 1;
    const unsigned first = threadIdx.x * each;
    unsigned mine = 0;
    for (unsigned i = first; i < min(first + each, ranges); ++i) mine += counters[i];
    unsigned before = sums_of(mine, warps[0]).before;
    if (before < wanted && wanted - before <= mine) {
      unsigned range = first;
      while (wanted - before > counters[range]) before += counters[range++];
      found_range = range;
      found_before = before;
    }
    __syncthreads();
    low += found_range << shift;
    wanted -= found_before;
    if (shift == 0) break;
    span = (1u << shift) - 1;
  }

  // The first `wanted` of the numbers equal to `low` are taken.
  unsigned* const found = reinterpret_cast<unsigned*>(p.columns_found) + row * p.found_stride;
  unsigned below = 0;  // numbers so far
  unsigned equal = 0;
  unsigned turn = 0;
  for (unsigned base = 0; base < count && below + min(equal, wanted) < p.k; base += blockDim.x) {
    const unsigned v = base + threadIdx.x;
    unsigned smaller = 0, same = 0;  // a bit for each number
    if (v < count) {
      const Numbers numbers{__ldg(vectors + v)};
      const unsigned left = p.columns - v * Numbers::numbers;
#pragma unroll
      for (unsigned i = 0; i < Numbers::numbers; ++i) {
        smaller |= static_cast<unsigned>(numbers[i] < low && i < left) << i;
        same |= static_cast<unsigned>(numbers[i] == low && i < left) << i;
      }
    }
    const Sums sums = sums_of(__popc(smaller) | __popc(same) << 16, warps[turn]);
    turn = 1 - turn;  // its numbers are read until the next barrier
    unsigned below_here = below + (sums.before & 0xFFFFu);
    unsigned equal_here = equal + (sums.before >> 16);
    for (unsigned left = smaller | same; left != 0; left &= left - 1) {
      const unsigned i = __ffs(left) - 1;
      const bool is_smaller = (smaller >> i & 1u) != 0;
      if (is_smaller || equal_here < wanted) found[below_here + min(equal_here, wanted)] = v * Numbers::numbers + i;
      ++(is_smaller ? below_here : equal_here);
    }
    below += sums.all & 0xFFFFu;
    equal += sums.all >> 16;
  }
}

}  // namespace

PROXEL_KERNEL(counting_select)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::CountingSelectConstants>();
  if (!whole_warps(pass.workgroup_size)) return {};
  const std::uint32_t shared = 4 * constants.counters;
  switch (constants.number_bytes) {
    case 2:
      return variant(cuda::counting_select<2>, shared);
    case 4:
      return variant(cuda::counting_select<4>, shared);
    default:
      return {};
  }
}

}  // namespace proxel::cuda
