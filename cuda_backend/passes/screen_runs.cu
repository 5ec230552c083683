// A workgroup per query: runs of its keys are sorted in shared memory, then merged in pairs between two buffers.

#include "kernels/bitonic_sort.cuh"
#include "kernels/chain.cuh"
#include "kernels/decode.cuh"
#include "kernels/selected.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_runs.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenRunsParameters;
constexpr unsigned most_threads = 512;

// Sorts every run of the keys; only its k smallest are written back.
__device__ __forceinline__ void sort_runs(Key* keys, unsigned count, unsigned k, Key* shared, unsigned run) {
  for (unsigned first = 0; first < count; first += run) {
    const unsigned held = min(run, count - first);
    unsigned size = 2;
    while (size < held) size *= 2;
    __syncthreads();  // the run before has been written
    for (unsigned i = threadIdx.x; i < size; i += blockDim.x) shared[i] = i < held ? keys[first + i] : no_row;
    __syncthreads();
    bitonic_sort(shared, size);
    for (unsigned i = threadIdx.x; i < min(held, k); i += blockDim.x) keys[first + i] = shared[i];
  }
  __syncthreads();
}

// Merges pairs of runs of `run` keys, each as far as its k smallest. A thread takes run_items neighbouring places of
// a merged run at a time, and finds by bisection where in both runs their keys begin.
__device__ __forceinline__ void merge_pairs(const Key* from, Key* to, unsigned count, unsigned k, unsigned run) {
  constexpr unsigned items = passes::run_items;
  for (unsigned chunk = threadIdx.x * items; chunk < count; chunk += blockDim.x * items) {
    const unsigned pair = chunk / (2 * run) * (2 * run);
    const unsigned place = chunk - pair;
    const unsigned lengths[2] = {min(min(run, count - pair), k),
                                 count - pair > run ? min(min(run, count - pair - run), k) : 0};
    const unsigned end = min(min(place + items, lengths[0] + lengths[1]), k);
    if (place >= end) continue;
    const Key* first = from + pair;
    const Key* second = first + run;
    unsigned low = place > lengths[1] ? place - lengths[1] : 0;
    unsigned high = min(place, lengths[0]);
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (first[middle] < second[place - 1 - middle])
        low = middle + 1;
      else
        high = middle;
    }
    unsigned i = low, j = place - low;
    Key a = i < lengths[0] ? first[i] : no_row;
    Key b = j < lengths[1] ? second[j] : no_row;
    for (unsigned at = place; at < end; ++at) {
      if (a < b) {
        to[pair + at] = a;
        a = ++i < lengths[0] ? first[i] : no_row;
      } else {
        to[pair + at] = b;
        b = ++j < lengths[1] ? second[j] : no_row;
      }
    }
  }
  __syncthreads();
}

__global__ void __launch_bounds__(most_threads) runs(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ Key shared[];
  const auto constants = launch.as<passes::ScreenRunsConstants>();
  const bool largest_first = constants.largest_first != 0;
  const Selected selected(p.selected, p.first_selected, p.query_count);
  for (unsigned slot = blockIdx.x; slot < selected.count; slot += gridDim.x) {
    const unsigned count = reinterpret_cast<const unsigned*>(p.survivor_counts)[slot];
    if (count == 0) continue;
    const unsigned number = selected.query(slot);
    Key* from = reinterpret_cast<Key*>(p.survivors) + std::uint64_t{slot} * p.room;
    Key* to = reinterpret_cast<Key*>(p.spare) + std::uint64_t{slot} * p.spare_stride;
    sort_runs(from, count, p.k, shared, constants.run);
    for (unsigned run = constants.run; run < count; run *= 2) {
      merge_pairs(from, to, count, p.k, run);
      Key* const merged = to;
      to = from;
      from = merged;
    }
    // Where the k-th distance overflows, so may those of rows that were dropped.
    if (!isfinite(decoded_distance(from[p.k - 1], largest_first, passes::finish_none))) {
      if (threadIdx.x == 0) {
        auto* undecided = reinterpret_cast<unsigned*>(p.undecided);
        undecided[4 + atomicAdd(undecided, 1u)] = p.first_query + number;
      }
      continue;
    }
    for (unsigned rank = threadIdx.x; rank < p.k; rank += blockDim.x) {
      const std::uint64_t at = std::uint64_t{number} * p.k + rank;
      reinterpret_cast<std::uint32_t*>(p.indices)[at] = decoded_index(from[rank]);
      reinterpret_cast<float*>(p.distances)[at] = decoded_distance(from[rank], largest_first, p.finish);
    }
  }
}

}  // namespace

PROXEL_KERNEL(screen_runs)(const Pass& pass) {
  const std::uint32_t run = pass.constants_as<passes::ScreenRunsConstants>().run;
  if (!whole_warps(pass.workgroup_size) || pass.workgroup_size > most_threads) return {};
  return variant(runs, run * 8);
}

}  // namespace proxel::cuda
