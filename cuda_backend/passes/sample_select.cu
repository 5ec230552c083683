#include "kernels/chain.cuh"
#include "kernels/kth_by_counting.cuh"
#include "kernels/runs.cuh"
#include "kernels/sampled_four.cuh"
#include "kernels/selection_rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/sample_select.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::SampleSelectParameters;
constexpr unsigned most_threads = 512;
// Vectors that each thread reads before it uses the first.
constexpr unsigned vectors = 4;

// Calls use(key, column()) with this thread's share of the sample of a row: of every `step` fours one (sample_bound.h).
template <bool largest_first, typename Use>
__device__ __forceinline__ void each_sampled(const SelectionRow& row, unsigned step, const Use& use) {
  using Chunk = SelectionChunk<vectors, largest_first, false>;
  const std::uint64_t sampled = fours_of_sample(row.vectors(), step);
  for (std::uint64_t first = threadIdx.x; first < sampled; first += vectors * blockDim.x) {
    Chunk chunk(row);
#pragma unroll
    for (unsigned i = 0; i < vectors; ++i) chunk.read(i, sampled_four(first + i * blockDim.x, sampled, step));
#pragma unroll
    for (unsigned j = 0; j < Chunk::count; ++j)
      if (chunk.index(j) != 0xFFFFFFFFu) use(chunk.key(j), [&] { return chunk.index(j); });
  }
}

// Lists the keys of a row up to the one that has the rank, or few more, in its sample; how many they are, of which those beyond the room
// are not listed. Where all of the row is the sample and there is no slack, they are as many as the rank says.
template <bool largest_first>
__device__ __noinline__ unsigned list_by_rank(const SelectionRow& row, unsigned step, unsigned rank, unsigned slack,
                                              Key* list, unsigned room, CountingMemory& memory) {
  using Chunk = SelectionChunk<vectors, largest_first, true>;
  __shared__ unsigned held;
  if (threadIdx.x == 0) held = 0;
  const Key bound =
      kth_key_by_counting(rank, slack, memory, [&](const auto& use) { each_sampled<largest_first>(row, step, use); });
  // What comes next is on its way while a chunk is looked at.
  Chunk next(row);
  next.read_stream(0);
  const unsigned at_once = vectors * blockDim.x;
  for (std::uint64_t first = 0; first < row.vectors(); first += at_once) {
    const Chunk chunk = next;
    if (first + at_once < row.vectors()) next.read_stream(first + at_once);
    const unsigned chosen = chunk.up_to(bound, first);
    if (chosen == 0) continue;
    unsigned to = atomicAdd(&held, __popc(chosen));
#pragma unroll
    for (unsigned j = 0; j < Chunk::count; ++j)
      if ((chosen >> j & 1) != 0) {
        if (to < room) list[to] = make_key(chunk.key(j), chunk.index(j));
        ++to;
      }
  }
  __syncthreads();
  return held;
}

template <bool largest_first>
__global__ void __launch_bounds__(most_threads) select(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ Key shared[];
  __shared__ CountingMemory memory;
  __shared__ unsigned counts[passes::most_sample_parts];
  const std::uint64_t number = row_of_sharing_workgroups();
  if (number >= p.rows.rows) return;
  const SelectionRow row(p.rows, number);
  const unsigned k = p.result.k, parts = p.parts;
  // The row's lists, and behind them as much room again.
  Key* keys = reinterpret_cast<Key*>(p.lists) + 2 * number * parts * p.room;
  Key* spare = keys + std::uint64_t{parts} * p.room;
  if (p.counters == 0) {
    const unsigned slack = p.sample_rank / passes::sampled_per_slack;
    counts[0] = list_by_rank<largest_first>(row, p.sample_step, p.sample_rank, slack, keys, p.room, memory);
  } else {
    for (unsigned part = threadIdx.x; part < parts; part += blockDim.x)
      counts[part] = reinterpret_cast<const unsigned*>(p.counters)[number * parts + part];
    __syncthreads();
  }
  std::uint64_t all = 0, before = 0;
  bool fits = true;
  for (unsigned part = 0; part < parts; ++part) {
    // Parts behind the k-th are not asked for.
    if (all < k) fits = fits && counts[part] <= p.room;
    if (part == blockIdx.x) before = all;
    all += counts[part];
  }
  unsigned first = 0, count = k, take = k;
  if (fits && all >= k) {
    if (before >= k) return;
    first = static_cast<unsigned>(before);
    count = counts[blockIdx.x];
    take = min(count, k - first);
    keys += std::uint64_t{blockIdx.x} * p.room;
    spare += std::uint64_t{blockIdx.x} * p.room;
  } else if (blockIdx.x == 0) {
    __syncthreads();  // all have read how many were listed
    list_by_rank<largest_first>(row, 1, k, 0, keys, k, memory);
  } else {
    return;
  }
  if (count == 0) return;
  const unsigned run = launch.as<passes::SampleSelectConstants>().run;
  const auto write = [&](unsigned rank, Key key) {
    write_selected(p.result, p.rows, number, first + rank, key, largest_first);
  };
  if (distribute(keys, spare, count, take, shared, run, write)) return;
  const Key* sorted = sort_and_merge(keys, spare, count, take, shared, run);
  for (unsigned rank = threadIdx.x; rank < take; rank += blockDim.x) write(rank, sorted[rank]);
}

}  // namespace

PROXEL_KERNEL(sample_select)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::SampleSelectConstants>();
  if (!whole_warps(pass.workgroup_size) || pass.workgroup_size > most_threads) return {};
  return constants.largest_first != 0 ? variant(select<true>, in_order_bytes(constants.run))
                                      : variant(select<false>, in_order_bytes(constants.run));
}

}  // namespace proxel::cuda
