#pragma once

// Many keys of one workgroup in order: by where their values lie; where these lie unevenly, runs of the keys are sorted in shared memory, then
// merged in pairs between two buffers.

#include "kernels/bitonic_sort.cuh"
#include "kernels/distribution.cuh"
#include "proxel/passes/screen_runs.h"

namespace proxel::cuda {

/// Shared memory of distribute() and sort_and_merge(), bytes: more than `run` keys take.
constexpr unsigned in_order_bytes(unsigned run) {
  return Distribution::shared_bytes(passes::buckets_per_run_key * run);
}

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

/// Calls write(rank, key) with the k smallest keys in order of where their values lie, each thread with its own. Returns false, and has
/// changed none, where the values lie unevenly; where it returns true all are finite. All threads of the workgroup call it.
/// @param keys    not changed
/// @param spare   clobbered; as large
/// @param shared  in_order_bytes(run)
template <typename Write>
__device__ __forceinline__ bool distribute(const Key* keys, Key* spare, unsigned count, unsigned k, void* shared,
                                           unsigned run, const Write& write) {
  if (count > passes::most_distributed) return false;
  Distribution distribution(shared, passes::buckets_per_run_key * run);
  constexpr unsigned together = 8;  // that are on their way
  Key read[together];
  // Where they are no more than that, they are read once.
  const bool few = count <= together * blockDim.x;
  const auto read_from = [&](unsigned first) {
#pragma unroll
    for (unsigned j = 0; j < together; ++j) read[j] = keys[min(first + j * blockDim.x, count - 1)];
  };
  const auto each = [&](const auto& use) {
    for (unsigned first = threadIdx.x; first < count; first += together * blockDim.x) {
      if (!few) read_from(first);
#pragma unroll
      for (unsigned j = 0; j < together; ++j)
        if (first + j * blockDim.x < count) use(read[j]);
    }
  };
  if (few) read_from(threadIdx.x);
  unsigned low = ~0u, high = 0;
  each([&](Key key) {
    low = min(low, static_cast<unsigned>(key >> 32));
    high = max(high, static_cast<unsigned>(key >> 32));
  });
  if (!distribution.begin(low, high)) return false;
  each([&](Key key) { distribution.count(key); });
  if (!distribution.end()) return false;
  each([&](Key key) { spare[distribution.place(key)] = key; });
  __syncthreads();
  distribution.each_of(spare, k, write);
  return true;
}

/// The k smallest of the keys, ascending; in one of the two buffers, which are both clobbered. All threads of the workgroup call it.
/// @param shared  in_order_bytes(run)
/// @param run     keys that are sorted at once, a power of two
__device__ __forceinline__ const Key* sort_and_merge(Key* keys, Key* spare, unsigned count, unsigned k, Key* shared,
                                                     unsigned run) {
  sort_runs(keys, count, k, shared, run);
  for (unsigned sorted = run; sorted < count; sorted *= 2) {
    merge_pairs(keys, spare, count, k, sorted);
    Key* const merged = spare;
    spare = keys;
    keys = merged;
  }
  return keys;
}

}  // namespace proxel::cuda
