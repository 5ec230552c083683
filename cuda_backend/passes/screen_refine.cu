// A workgroup per query: the k-th of the lower bounds among what was collected,
// canonical distances of what it does not discard, and a sort.

#include <cfloat>

#include "kernels/bitonic_sort.cuh"
#include "kernels/chain.cuh"
#include "kernels/collected.cuh"
#include "kernels/decode.cuh"
#include "kernels/screened_row.cuh"
#include "kernels/selected.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_refine.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenRefineParameters;

// Shared memory: candidates [pool], then the keys of survivors [list_length].
constexpr unsigned shared_bytes(unsigned pool, unsigned list_length) {
  return list_length * 8 + pool * static_cast<unsigned>(sizeof(Candidate));
}

// Sums over the workgroup. Two sets of memory take turns, so that one barrier
// suffices.
struct Sums {
  unsigned (*shared)[8];
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
  /// @param place  in shared memory, 0
  __device__ __forceinline__ void gather(std::uint32_t* range, unsigned& place) {
    std::uint32_t low = 0xFFFFFFFFu, high = 0;
    each_listed([&](const Candidate& candidate) {
      if (pooled_) pool_[atomicAdd(&place, 1u)] = candidate;
      low = min(low, candidate.lower);
      high = max(high, candidate.lower);
    });
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
  Candidate* pool_;
  bool pooled_;
};

// Shared memory beside keys and candidates.
struct Working {
  unsigned summed[2][8];
  std::uint32_t range[2];
  unsigned survivors;
  unsigned gathered;
};

// Leaves the k nearest, ascending, in `keys`, or returns false.
template <Metric metric, std::uint32_t element>
__device__ __forceinline__ bool find_nearest(const Parameters& p, unsigned slot, unsigned number, Key* keys,
                                             unsigned list_length, Candidate* pool, unsigned pool_size,
                                             Working& working) {
  __syncthreads();  // the query before has been served
  if (threadIdx.x == 0) working = {{}, {0xFFFFFFFFu, 0}, 0, 0};
  __syncthreads();
  const QueryBounds bounds(p.query_bounds, slot);
  if (!bounds.certifiable()) return false;
  Collected collected(p, slot, bounds, pool, pool_size);
  const bool few = collected.held() < p.k;
  if (few && !(bounds.bounded() && collected.complete())) return false;
  collected.gather(working.range, working.gathered);

  Sums sum{working.summed};
  const std::uint32_t kth =
      few ? 0 : select_key(p.k, p.k / 8 + 1, working.range[0], working.range[1], [&](std::uint32_t limit) {
    unsigned reach = 0;
    collected.each([&](const Candidate& candidate) { reach += candidate.lower <= limit; });
    return sum(reach);
  });
  const float lower = lower_bound_of_key(kth);
  const float least = few ? -FLT_MAX : bounds.threshold(lower);
  if (!few && (!QueryBounds::certifies(lower) || !isfinite(least) || !bounds.borne_out(least))) return false;
  collected.each([&](const Candidate& candidate) {
    if (candidate.upper < least) return;
    const unsigned at = atomicAdd(&working.survivors, 1u);
    if (at < list_length) keys[at] = candidate.row;
  });
  __syncthreads();
  const unsigned survivors = working.survivors;
  if (survivors > list_length) return false;

  unsigned size = 2;
  while (size < survivors || size < p.k) size *= 2;
  const float* query = reinterpret_cast<const float*>(p.queries) + std::uint64_t{number} * p.dimensions;
  for (unsigned i = threadIdx.x; i < size; i += blockDim.x) {
    const auto row = static_cast<std::uint32_t>(keys[i]);
    keys[i] =
        i < survivors
            ? make_key(distance_key<metric>(screened_distance<metric, element>(p.rows, row, query, p.dimensions)), row)
            : no_row;
  }
  __syncthreads();
  bitonic_sort(keys, size);
  // Where the k-th distance overflows, so may those of rows that were discarded.
  return few || isfinite(decoded_distance(keys[p.k - 1], metric == Metric::ip, passes::finish_none));
}

template <Metric metric, std::uint32_t element>
__global__ void __launch_bounds__(256) refine(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ Key shared[];
  __shared__ Working working;
  const unsigned list_length = launch.as<passes::ScreenRefineConstants>().list_length;
  auto* pool = reinterpret_cast<Candidate*>(shared + list_length);
  const Selected selected(p.selected, p.first_selected, p.query_count);
  for (unsigned slot = blockIdx.x; slot < selected.count; slot += gridDim.x) {
    const unsigned number = selected.query(slot);
    if (!find_nearest<metric, element>(p, slot, number, shared, list_length, pool,
                                       launch.as<passes::ScreenRefineConstants>().pool, working)) {
      if (threadIdx.x == 0) {
        auto* undecided = reinterpret_cast<unsigned*>(p.undecided);
        undecided[4 + atomicAdd(undecided, 1u)] = p.first_query + number;
      }
      continue;
    }
    for (unsigned rank = threadIdx.x; rank < p.k; rank += blockDim.x) {
      const std::uint64_t at = std::uint64_t{number} * p.k + rank;
      reinterpret_cast<std::uint32_t*>(p.indices)[at] = decoded_index(shared[rank]);
      reinterpret_cast<float*>(p.distances)[at] = decoded_distance(shared[rank], metric == Metric::ip, p.finish);
    }
  }
}

}  // namespace

PROXEL_KERNEL(screen_refine)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::ScreenRefineConstants>();
  if (!whole_warps(pass.workgroup_size) || pass.workgroup_size > 256) return {};
  const std::uint32_t bytes = shared_bytes(constants.pool, constants.list_length);
  return for_screened(constants, [&](auto metric, auto element) {
    return variant(refine<decltype(metric)::value, decltype(element)::value>, bytes);
  });
}

}  // namespace proxel::cuda
