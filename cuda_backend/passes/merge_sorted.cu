#include "kernels/chain.cuh"
#include "kernels/selection_rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/merge_sorted.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::MergeSortedParameters;

constexpr unsigned threads = 256;
constexpr unsigned items = passes::merge_items;
constexpr unsigned tile_keys = threads * items;

// How many of the first `place` keys of the merged pair come from the left run.
// All lanes of a warp call it: each looks at another place of the path.
__device__ unsigned split_of(const Key* left, unsigned lefts, const Key* right, unsigned rights, unsigned place) {
  unsigned low = place - min(place, rights);
  unsigned high = min(place, lefts);
  while (low < high) {
    const unsigned step = (high - low) / 33 + 1;
    const unsigned probe = low + (threadIdx.x % 32 + 1) * step - 1;
    const bool taken = probe < high && left[probe] < right[place - 1 - probe];
    const unsigned before = __popc(__ballot_sync(all_lanes, taken));
    high = min(high, low + (before + 1) * step - 1);
    low += before * step;
  }
  return low;
}

template <bool largest_first>
__global__ void __launch_bounds__(threads) merge_tile(const Parameters p) {
  follow_previous_pass();
  __shared__ Key keys[tile_keys];
  __shared__ unsigned splits[2];
  const std::uint64_t row = blockIdx.y;
  const std::uint64_t tile = std::uint64_t{blockIdx.z} * gridDim.x + blockIdx.x;
  const std::uint64_t first = tile / p.pair_tiles * 2 * p.run;
  const unsigned begin = static_cast<unsigned>(tile % p.pair_tiles) * tile_keys;
  if (first >= p.rows.columns) return;
  const unsigned rest = p.rows.columns - static_cast<unsigned>(first);
  const unsigned run = min(p.run, rest);
  const unsigned lefts = min(run, p.result.k);
  const unsigned rights = min(min(p.run, rest - run), p.result.k);
  const unsigned merged = min(lefts + rights, p.result.k);
  if (begin >= merged) return;
  const unsigned count = min(tile_keys, merged - begin);

  const Key* const left = reinterpret_cast<const Key*>(p.source) + row * p.rows.columns + first;
  const Key* const right = left + run;
  const unsigned warp = threadIdx.x / 32;
  if (warp < 2) {
    const unsigned split = split_of(left, lefts, right, rights, warp == 0 ? begin : begin + count);
    if (threadIdx.x % 32 == 0) splits[warp] = split;
  }
  __syncthreads();
  const unsigned first_left = splits[0];
  const unsigned own_lefts = splits[1] - first_left;
  const unsigned first_right = begin - first_left;
  const Key* const from_left = left + first_left;
  const Key* const from_right = right + first_right;
  Key own[items];
#pragma unroll
  for (unsigned j = 0; j < items; ++j) {
    const unsigned i = j * threads + threadIdx.x;
    if (i < count) own[j] = __ldcs(i < own_lefts ? from_left + i : from_right + (i - own_lefts));
  }
#pragma unroll
  for (unsigned j = 0; j < items; ++j) {
    const unsigned i = j * threads + threadIdx.x;
    if (i < count) keys[i] = own[j];
  }
  __syncthreads();

  const unsigned place = min(threadIdx.x * items, count);
  unsigned low = place - min(place, count - own_lefts);
  unsigned high = min(place, own_lefts);
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (keys[middle] < keys[own_lefts + place - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  unsigned at_left = low;
  unsigned at_right = own_lefts + place - low;
  Key a = at_left < own_lefts ? keys[at_left] : no_row;
  Key b = at_right < count ? keys[at_right] : no_row;
#pragma unroll
  for (unsigned j = 0; j < items; ++j) {
    const bool takes_left = a < b;
    own[j] = takes_left ? a : b;
    if (takes_left)
      a = ++at_left < own_lefts ? keys[at_left] : no_row;
    else
      b = ++at_right < count ? keys[at_right] : no_row;
  }
  __syncthreads();
#pragma unroll
  for (unsigned j = 0; j < items; ++j)
    if (place + j < count) keys[place + j] = own[j];
  __syncthreads();

  if (!p.target) {
    for (unsigned i = threadIdx.x; i < count; i += threads)
      write_selected(p.result, p.rows, row, begin + i, keys[i], largest_first);
    if (tile == 0)
      for (std::uint64_t slot = std::uint64_t{p.rows.columns} + threadIdx.x; slot < p.result.k; slot += threads)
        write_selected(p.result, p.rows, row, slot, no_row, largest_first);
    return;
  }
  Key* const target = reinterpret_cast<Key*>(p.target) + row * p.rows.columns + first + begin;
  for (unsigned i = threadIdx.x; i < count; i += threads) target[i] = keys[i];
}

}  // namespace

PROXEL_KERNEL(merge_sorted)(const Pass& pass) {
  if (pass.workgroup_size != threads) return {};
  return pass.constants_as<passes::MergeSortedConstants>().largest_first != 0 ? variant(merge_tile<true>)
                                                                              : variant(merge_tile<false>);
}

}  // namespace proxel::cuda
