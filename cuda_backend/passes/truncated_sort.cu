#include "kernels/chain.cuh"
#include "kernels/selection_rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/truncated_sort.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::TruncatedSortParameters;

constexpr unsigned threads = 256;
constexpr unsigned tile_keys = passes::truncated_tile;

// One bitonic merge, of `run` keys at a time, at every multiple of `pitch`; every second one comes out descending.
// All are powers of two.
__device__ void merge_bitonic(Key* keys, unsigned run, unsigned pitch) {
  const unsigned half = run / 2;
  const unsigned pairs = tile_keys / pitch * half;
  const unsigned log_half = 31 - __clz(max(half, 1u));
  for (unsigned stride = half; stride != 0; stride /= 2) {
    for (unsigned i = threadIdx.x; i < pairs; i += threads) {
      const unsigned place = i & (half - 1);
      const unsigned which = i >> log_half;
      const unsigned low = which * pitch + 2 * place - (place & (stride - 1));
      const Key a = keys[low];
      const Key b = keys[low + stride];
      if ((b < a) == ((which & 1) == 0)) {
        keys[low] = b;
        keys[low + stride] = a;
      }
    }
    __syncthreads();
  }
}

template <bool largest_first>
__global__ void __launch_bounds__(threads) sort_tile(const Parameters p) {
  follow_previous_pass();
  __shared__ Key keys[tile_keys];
  const std::uint64_t row = blockIdx.y;
  const std::uint64_t tiles = (std::uint64_t{p.count} + tile_keys - 1) / tile_keys;
  const std::uint64_t tile = std::uint64_t{blockIdx.z} * gridDim.x + blockIdx.x;
  if (tile >= tiles) return;
  const std::uint64_t first = tile * tile_keys;
  const unsigned count = static_cast<unsigned>(min(std::uint64_t{tile_keys}, p.count - first));
  const unsigned list = p.list;
  if (p.source == 0) {
    const float* values = reinterpret_cast<const float*>(p.rows.values) + row * p.rows.row_stride + first;
    for (unsigned i = threadIdx.x; i < tile_keys; i += threads)
      keys[i] =
          i < count ? make_key(ordered_key<largest_first>(values[i]), static_cast<std::uint32_t>(first + i)) : no_row;
    __syncthreads();
    for (unsigned run = 2; run <= list; run *= 2) merge_bitonic(keys, run, run);
  } else {
    const Key* source = reinterpret_cast<const Key*>(p.source) + row * p.count + first;
    for (unsigned i = threadIdx.x; i < tile_keys; i += threads) {
      // Every second list is turned round.
      const unsigned from = (i & list) == 0 ? i : i ^ (list - 1);
      keys[i] = from < count ? source[from] : no_row;
    }
    __syncthreads();
  }
  for (unsigned pitch = list; pitch < tile_keys; pitch *= 2) {
    const unsigned kept = tile_keys / (2 * pitch) * list;
    const unsigned log_list = 31 - __clz(list);
    for (unsigned i = threadIdx.x; i < kept; i += threads) {
      const unsigned place = (i >> log_list) * 2 * pitch + (i & (list - 1));
      const Key a = keys[place];
      const Key b = keys[place + pitch];
      keys[place] = b < a ? b : a;
    }
    __syncthreads();
    merge_bitonic(keys, list, 2 * pitch);
  }
  if (p.target == 0) {
    for (std::uint64_t slot = threadIdx.x; slot < p.result.k; slot += threads)
      write_selected(p.result, p.rows, row, slot, slot < list ? keys[slot] : no_row, largest_first);
    return;
  }
  Key* target = reinterpret_cast<Key*>(p.target) + (row * tiles + tile) * list;
  for (unsigned i = threadIdx.x; i < list; i += threads) target[i] = keys[i];
}

}  // namespace

PROXEL_KERNEL(truncated_sort)(const Pass& pass) {
  const std::uint32_t list = pass.as<Parameters>().list;
  if (pass.workgroup_size != threads || list == 0 || list > tile_keys / 2 || (list & (list - 1)) != 0) return {};
  return pass.constants_as<passes::TruncatedSortConstants>().largest_first != 0 ? variant(sort_tile<true>)
                                                                                : variant(sort_tile<false>);
}

}  // namespace proxel::cuda
