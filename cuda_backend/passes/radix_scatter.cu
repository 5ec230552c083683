#include "kernels/chain.cuh"
#include "kernels/radix.cuh"
#include "kernels/selection_rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/radix_scatter.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::RadixScatterParameters;

constexpr unsigned warps = radix_threads / 32;

// The lanes of the warp whose digit is the same, among the counted.
// There are 256 digits, or 2.
__device__ __forceinline__ unsigned lanes_with(unsigned digit, unsigned digits) {
  unsigned lanes = __ballot_sync(all_lanes, digit != not_counted);
  if (lanes == 0) return 0;
#pragma unroll
  for (unsigned bit = 0; bit < 8; ++bit) {
    if (bit != 0 && digits == 2) break;
    const bool set = digit >> bit & 1;
    const unsigned with = __ballot_sync(all_lanes, set);
    lanes &= set ? with : ~with;
  }
  return lanes;
}

template <bool largest_first>
__global__ void __launch_bounds__(radix_threads) scatter_tile(const Parameters p) {
  follow_previous_pass();
  // Keys of each digit, of each warp; then the places at which they begin.
  __shared__ unsigned places[warps][radix_digits];
  __shared__ unsigned shared[warps];
  const std::uint64_t tiles = (std::uint64_t{p.source.count} + radix_tile - 1) / radix_tile;
  const std::uint64_t tile = std::uint64_t{blockIdx.z} * gridDim.x + blockIdx.x;
  if (tile >= tiles) return;
  const std::uint64_t row = blockIdx.y;
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const RadixKeys<largest_first> source(p.rows, p.source, row);
  for (unsigned i = 0; i < warps; ++i) places[i][threadIdx.x] = 0;

  // A warp's keys are neighbours, so that its earlier rounds come first.
  const std::uint64_t first = tile * radix_tile + warp * 32 * radix_items + lane;
  Key keys[radix_items];
#pragma unroll
  for (unsigned i = 0; i < radix_items; ++i) {
    const std::uint64_t item = first + 32 * i;
    keys[i] = item < p.source.count ? source.key(static_cast<unsigned>(item)) : no_row;
  }
  __syncthreads();
  unsigned ranks[radix_items];
#pragma unroll
  for (unsigned i = 0; i < radix_items; ++i) {
    const unsigned digit = first + 32 * i < p.source.count ? source.digit(keys[i]) : not_counted;
    const unsigned lanes = lanes_with(digit, p.digits);
    ranks[i] = 0;
    // Most warps of a collection have nothing to place.
    if (__ballot_sync(all_lanes, lanes != 0) == 0) continue;
    const bool counted = digit != not_counted;
    const unsigned before = counted ? places[warp][digit] : 0;
    ranks[i] = before + __popc(lanes & ((1u << lane) - 1));
    __syncwarp();
    if (counted && lane == static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1)
      places[warp][digit] = before + __popc(lanes);
    __syncwarp();
  }
  __syncthreads();

  // Where each warp's keys of each digit begin.
  const unsigned digit_of_thread = threadIdx.x;
  const bool exists = digit_of_thread < p.digits;
  const unsigned total = exists ? reinterpret_cast<const unsigned*>(p.totals)[row * p.digits + digit_of_thread] : 0;
  unsigned place = sum_before(total, shared);
  if (exists) place += reinterpret_cast<const unsigned*>(p.counts)[(row * p.digits + digit_of_thread) * tiles + tile];
  for (unsigned i = 0; i < warps; ++i) {
    const unsigned count = places[i][digit_of_thread];
    places[i][digit_of_thread] = place;
    place += count;
  }
  __syncthreads();

#pragma unroll
  for (unsigned i = 0; i < radix_items; ++i) {
    const unsigned digit = first + 32 * i < p.source.count ? source.digit(keys[i]) : not_counted;
    if (digit == not_counted) continue;
    const unsigned slot = places[warp][digit] + ranks[i];
    if (!p.target) {
      if (slot < p.source.k) write_selected(p.result, p.rows, row, slot, keys[i], largest_first);
    } else if (slot < p.target_stride) {
      reinterpret_cast<Key*>(p.target)[row * p.target_stride + slot] = keys[i];
    }
  }
  if (!p.target && tile == 0)
    for (unsigned slot = p.source.k + threadIdx.x; slot < p.result.k; slot += radix_threads)
      write_selected(p.result, p.rows, row, slot, no_row, largest_first);
}

}  // namespace

PROXEL_KERNEL(radix_scatter)(const Pass& pass) {
  if (pass.workgroup_size != radix_threads) return {};
  return pass.constants_as<passes::RadixScatterConstants>().largest_first != 0 ? variant(scatter_tile<true>)
                                                                               : variant(scatter_tile<false>);
}

}  // namespace proxel::cuda
