// A workgroup per query: the k-th of the lower bounds among what was collected,
// canonical distances of what it does not discard, and a sort.

#include <cfloat>

#include "kernels/bitonic_sort.cuh"
#include "kernels/chain.cuh"
#include "kernels/collected.cuh"
#include "kernels/decode.cuh"
#include "kernels/key_range.cuh"
#include "kernels/screened_row.cuh"
#include "kernels/selected.cuh"
#include "kernels/variant.cuh"
#include "kernels/warp_sum.cuh"
#include "proxel/passes/screen_refine.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenRefineParameters;
constexpr unsigned most_threads = passes::screen_most_refine_workgroup;

// Values of rows in shared memory. Few workgroups wait for memory, and have a multiprocessor each, where they ask for much at once; of
// many as many as possible are to run on one.
__host__ __device__ constexpr unsigned staged_values(unsigned workgroups, unsigned threads, unsigned list_length) {
  constexpr unsigned few = 128;
  if (workgroups > few) return StagedRows::values(threads);
  // Every device from compute capability 8.0 on has 99 KiB for a workgroup, of which the keys take the first.
  const unsigned most_bytes =
      threads > passes::screen_usual_refine_workgroup ? passes::screen_wide_refine_bytes : 97 * 1024;
  return (most_bytes - list_length * 8) / 4;
}

// Shared memory: the keys of survivors [list_length], then candidates [pool]; where these are values of rows and sorted keys later.
constexpr unsigned shared_bytes(unsigned pool, unsigned list_length, unsigned staged) {
  const unsigned candidates = pool * static_cast<unsigned>(sizeof(Candidate));
  unsigned behind = list_length * 8;
  if (behind < candidates) behind = candidates;
  if (behind < staged * 4) behind = staged * 4;
  return list_length * 8 + behind;
}

// Sums over the workgroup. Two sets of memory take turns, so that one barrier
// suffices.
struct Sums {
  unsigned (*shared)[most_threads / 32];
  unsigned turn = 0;

  __device__ unsigned operator()(unsigned value) {
    value = __reduce_add_sync(all_lanes, value);
    unsigned* sums = shared[turn ^= 1];
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = 0;
    for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) value += sums[warp];
    return value;
  }
};

// The rows that were collected for a query. They stay in the pool where they fit there;
// where they do not, they are read from the lists anew each time.
class Collected : public CollectedLists<Parameters> {
 public:
  __device__ Collected(const Parameters& p, unsigned slot, const QueryBounds& bounds, Candidate* pool,
                       unsigned pool_size)
      : CollectedLists(p, slot, bounds), pool_(pool), pooled_(held_ <= pool_size) {}

  /// Brings the lists together, and leaves the smallest and the largest `lower` of
  /// them in `range`.
  __device__ __forceinline__ void gather(std::uint32_t* range) {
    std::uint32_t low = 0xFFFFFFFFu, high = 0;
    const auto take = [&](const Candidate& candidate) {
      low = min(low, candidate.lower);
      high = max(high, candidate.lower);
    };
    if (pooled_)
      fill_pool(take);
    else
      each_listed(take);
    low = __reduce_min_sync(all_lanes, low);
    high = __reduce_max_sync(all_lanes, high);
    if (threadIdx.x % 32 == 0) {
      atomicMin(range, low);
      atomicMax(range + 1, high);
    }
    __syncthreads();
  }

  /// Calls `use` with this thread's share of the candidates.
  template <typename Use>
  __device__ __forceinline__ void each(const Use& use) const {
    if (pooled_) {
      for (unsigned i = threadIdx.x; i < held_; i += blockDim.x) use(pool_[i]);
      return;
    }
    each_listed(use);
  }

 private:
  // Calls `use` with a number of its own below held() and the place of each candidate, reading no more than the lengths of lists, as
  // these are many. None may have overflowed. All threads call it together.
  template <typename Use>
  __device__ __forceinline__ void each_place(const Use& use) const {
    __shared__ unsigned numbered;
    if (threadIdx.x == 0) numbered = 0;
    __syncthreads();
    unsigned own = 0;
#pragma unroll 4
    for (unsigned split = threadIdx.x; split < p_.splits; split += blockDim.x) own += length(split);
    const unsigned through = warp_sum_through(own);
    unsigned next = 0;
    if (threadIdx.x % 32 == 31) next = atomicAdd(&numbered, through);
    next = __shfl_sync(all_lanes, next, 31) + through - own;
    for (unsigned split = threadIdx.x; split < p_.splits; split += blockDim.x) {
      const unsigned count = length(split);
      for (unsigned i = 0; i < count; ++i) use(next++, split * p_.capacity + i);
    }
  }

  template <typename Take>
  __device__ __forceinline__ void fill_pool(const Take& take) {
    if (p_.splits > passes::screen_few_lists) {
      // Where candidates are comes first, so that all of them are asked for at once.
      each_place([&](unsigned number, unsigned place) { pool_[number].row = place; });
      __syncthreads();
      read_all(0, held_, [&](unsigned i) { return pool_[i].row; }, take);
      return;
    }
    unsigned first = 0;
    for (unsigned split = 0; split < p_.splits; ++split) {
      const unsigned count = length(split);
      read_all(first, count, [&](unsigned i) { return split * p_.capacity + i; }, take);
      first += count;
    }
  }

  template <typename PlaceOf, typename Take>
  __device__ __forceinline__ void read_all(unsigned number, unsigned count, const PlaceOf& place_of, const Take& take) {
    if (count > blockDim.x)
      read_together<4>(number, count, place_of, take);
    else
      read_together<1>(number, count, place_of, take);
  }

  // Brings candidates number … number + count - 1 into the pool. A thread asks for `together` of them before it uses the first.
  template <unsigned together, typename PlaceOf, typename Take>
  __device__ __forceinline__ void read_together(unsigned number, unsigned count, const PlaceOf& place_of,
                                                const Take& take) {
    for (unsigned first = threadIdx.x; first < count; first += together * blockDim.x) {
      uint2 found[together];
      float errors[together];
#pragma unroll
      for (unsigned j = 0; j < together; ++j) {
        const unsigned i = first + j * blockDim.x;
        // Past the last this thread's first is read again: a branch would keep the compiler from asking for all at once.
        found[j] = entry(place_of(i < count ? i : first));
      }
#pragma unroll
      for (unsigned j = 0; j < together; ++j) errors[j] = error_of(found[j].y);
#pragma unroll
      for (unsigned j = 0; j < together; ++j) {
        const unsigned i = first + j * blockDim.x;
        if (i >= count) break;
        pool_[number + i] = candidate(found[j], errors[j]);
        take(pool_[number + i]);
      }
    }
  }

  Candidate* pool_;
  bool pooled_;
};

// Shared memory beside keys and candidates.
struct Working {
  unsigned summed[2][most_threads / 32];
  std::uint32_t range[2];
  unsigned survivors;
};

// Keys of so many survivors are put in order by counting, for each, those before it.
constexpr unsigned most_counted = 256;

// Brings the survivors' keys in order, with no_row for what the k lack.
// @param spare  room for as many keys as `keys` has, at least k
__device__ __forceinline__ const Key* in_order(Key* keys, unsigned survivors, unsigned k, Key* spare) {
  if (survivors <= most_counted) {
    for (unsigned number = threadIdx.x; number < survivors; number += blockDim.x) {
      const Key own = keys[number];
      unsigned rank = 0;
#pragma unroll 8
      for (unsigned i = 0; i < survivors; ++i) rank += keys[i] < own;
      spare[rank] = own;
    }
    for (unsigned i = survivors + threadIdx.x; i < k; i += blockDim.x) spare[i] = no_row;
    __syncthreads();
    return spare;
  }
  unsigned size = 2;
  while (size < survivors || size < k) size *= 2;
  for (unsigned i = survivors + threadIdx.x; i < size; i += blockDim.x) keys[i] = no_row;
  __syncthreads();
  bitonic_sort(keys, size);
  return keys;
}

// The k nearest, ascending, or null.
// @param behind  shared memory behind the keys
template <Metric metric, std::uint32_t element>
__device__ __forceinline__ const Key* find_nearest(const Parameters& p, unsigned slot, unsigned number, Key* keys,
                                                   unsigned list_length, Key* behind, unsigned pool_size,
                                                   Working& working) {
  __syncthreads();  // the query before has been served
  if (threadIdx.x == 0) working = {{}, {0xFFFFFFFFu, 0}, 0};
  __syncthreads();
  const QueryBounds bounds(p.query_bounds, slot);
  if (!bounds.certifiable()) return nullptr;
  Collected collected(p, slot, bounds, reinterpret_cast<Candidate*>(behind), pool_size);
  const bool few = collected.held() < p.k;
  if (few && !(bounds.bounded() && collected.complete())) return nullptr;
  collected.gather(working.range);

  Sums sum{working.summed};
  const KeyRange range{working.range[0], working.range[1], collected.held(), false};
  const std::uint32_t kth = few ? 0 : select_key(range, p.k, p.k + p.k / 8 + 1, [&](std::uint32_t limit) {
    unsigned reach = 0;
    collected.each([&](const Candidate& candidate) { reach += candidate.lower <= limit; });
    return sum(reach);
  }).high;
  const float lower = lower_bound_of_key(kth);
  const float least = few ? -FLT_MAX : bounds.threshold(lower);
  if (!few && (!QueryBounds::certifies(lower) || !isfinite(least) || !bounds.borne_out(least))) return nullptr;
  collected.each([&](const Candidate& candidate) {
    if (candidate.upper < least) return;
    const unsigned at = atomicAdd(&working.survivors, 1u);
    if (at < list_length) keys[at] = candidate.row;
  });
  __syncthreads();
  const unsigned survivors = working.survivors;
  if (survivors > list_length) return nullptr;

  const float* query = reinterpret_cast<const float*>(p.queries) + std::uint64_t{number} * p.dimensions;
  evaluate_screened<metric, element>(p.rows, query, p.dimensions, keys, survivors, reinterpret_cast<float*>(behind),
                                     staged_values(gridDim.x, blockDim.x, list_length));
  __syncthreads();
  const Key* sorted = in_order(keys, survivors, p.k, behind);
  // Where the k-th distance overflows, so may those of rows that were discarded.
  return few || isfinite(decoded_distance(sorted[p.k - 1], metric == Metric::ip, passes::finish_none)) ? sorted
                                                                                                       : nullptr;
}

template <Metric metric, std::uint32_t element>
__global__ void __launch_bounds__(most_threads) refine(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ __align__(16) Key shared[];
  __shared__ Working working;
  const unsigned list_length = launch.as<passes::ScreenRefineConstants>().list_length;
  const Selected selected(p.selected, p.first_selected, p.query_count);
  for (unsigned slot = blockIdx.x; slot < selected.count; slot += gridDim.x) {
    const unsigned number = selected.query(slot);
    const Key* nearest = find_nearest<metric, element>(p, slot, number, shared, list_length, shared + list_length,
                                                       launch.as<passes::ScreenRefineConstants>().pool, working);
    if (!nearest) {
      if (threadIdx.x == 0) {
        auto* undecided = reinterpret_cast<unsigned*>(p.undecided);
        undecided[4 + atomicAdd(undecided, 1u)] = p.first_query + number;
      }
      continue;
    }
    for (unsigned rank = threadIdx.x; rank < p.k; rank += blockDim.x) {
      const std::uint64_t at = std::uint64_t{number} * p.k + rank;
      reinterpret_cast<std::uint32_t*>(p.indices)[at] = decoded_index(nearest[rank]);
      reinterpret_cast<float*>(p.distances)[at] = decoded_distance(nearest[rank], metric == Metric::ip, p.finish);
    }
  }
}

}  // namespace

PROXEL_KERNEL(screen_refine)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::ScreenRefineConstants>();
  if (!whole_warps(pass.workgroup_size) || pass.workgroup_size > most_threads) return {};
  const bool staged = constants.element == passes::element_float32;
  const std::uint32_t bytes =
      shared_bytes(constants.pool, constants.list_length,
                   staged ? staged_values(pass.grid.x, pass.workgroup_size, constants.list_length) : 0);
  return for_screened(constants, [&](auto metric, auto element) {
    return variant(refine<decltype(metric)::value, decltype(element)::value>, bytes);
  });
}

}  // namespace proxel::cuda
