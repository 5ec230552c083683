// A workgroup per query: the k-th of the lower bounds by counting, then what it does not discard, and the canonical
// distances of that.

#include "kernels/chain.cuh"
#include "kernels/collected.cuh"
#include "kernels/kth_by_counting.cuh"
#include "kernels/screened_row.cuh"
#include "kernels/selected.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_survivors.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenSurvivorsParameters;
constexpr unsigned most_threads = 512;

// How many rows survive, whose keys are then written; 0 where that is not decided.
// @param kept    in shared memory, 0
// @param staged  shared memory for StagedRows
template <Metric metric, std::uint32_t element>
__device__ __forceinline__ unsigned find_survivors(const Parameters& p, unsigned slot, unsigned number,
                                                   CountingMemory& counting, unsigned& kept, float* staged) {
  const QueryBounds bounds(p.query_bounds, slot);
  if (!bounds.certifiable()) return 0;
  const CollectedLists<Parameters> lists(p, slot, bounds);
  if (lists.held() < p.k) return 0;
  const std::uint32_t kth = kth_by_counting(p.k, p.k / 64, counting, [&](const auto& use) {
    lists.each_listed([&](const Candidate& candidate) { use(candidate.lower); });
  });
  const float lower = lower_bound_of_key(kth);
  const float least = bounds.threshold(lower);
  if (!QueryBounds::certifies(lower) || !isfinite(least) || !bounds.borne_out(least)) return 0;
  Key* keys = reinterpret_cast<Key*>(p.survivors) + std::uint64_t{slot} * p.room;
  lists.each_listed([&](const Candidate& candidate) {
    if (candidate.upper < least) return;
    const unsigned at = atomicAdd(&kept, 1u);
    if (at < p.room) keys[at] = candidate.row;
  });
  __syncthreads();
  const unsigned survivors = kept;
  if (survivors < p.k || survivors > p.room) return 0;
  const float* query = reinterpret_cast<const float*>(p.queries) + std::uint64_t{number} * p.dimensions;
  evaluate_screened<metric, element>(p.rows, query, p.dimensions, keys, survivors, staged,
                                     StagedRows::values(blockDim.x));
  return survivors;
}

template <Metric metric, std::uint32_t element>
__global__ void __launch_bounds__(most_threads) survivors(const Parameters p) {
  follow_previous_pass();
  extern __shared__ float4 staged[];
  __shared__ CountingMemory counting;
  __shared__ unsigned kept;
  const Selected selected(p.selected, p.first_selected, p.query_count);
  for (unsigned slot = blockIdx.x; slot < selected.count; slot += gridDim.x) {
    const unsigned number = selected.query(slot);
    __syncthreads();  // the query before has been served
    if (threadIdx.x == 0) kept = 0;
    __syncthreads();
    const unsigned count =
        find_survivors<metric, element>(p, slot, number, counting, kept, reinterpret_cast<float*>(staged));
    if (threadIdx.x != 0) continue;
    reinterpret_cast<unsigned*>(p.survivor_counts)[slot] = count;
    if (count != 0) continue;
    auto* undecided = reinterpret_cast<unsigned*>(p.undecided);
    undecided[4 + atomicAdd(undecided, 1u)] = p.first_query + number;
  }
}

}  // namespace

PROXEL_KERNEL(screen_survivors)(const Pass& pass) {
  if (!whole_warps(pass.workgroup_size) || pass.workgroup_size > most_threads) return {};
  const auto constants = pass.constants_as<passes::ScreenSurvivorsConstants>();
  return for_screened(constants, [&](auto metric, auto element) {
    const bool staged = decltype(element)::value == passes::element_float32;
    const auto bytes = static_cast<std::uint32_t>(StagedRows::values(pass.workgroup_size) * sizeof(float));
    return variant(survivors<decltype(metric)::value, decltype(element)::value>, staged ? bytes : 0);
  });
}

}  // namespace proxel::cuda
