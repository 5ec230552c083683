#include "kernels/chain.cuh"
#include "kernels/kth_by_counting.cuh"
#include "kernels/runs.cuh"
#include "kernels/selection_rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/sample_select.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::SampleSelectParameters;
constexpr unsigned most_threads = 512;
// Vectors that each thread reads before it uses the first.
constexpr unsigned vectors = 4;

// What a workgroup shares beside the keys that it sorts.
struct Memory {
  CountingMemory counting;
  unsigned held;  // keys listed
};

// The list that a workgroup appends to.
struct List {
  Key* keys;
  unsigned room;
  Memory& memory;

  __device__ void clear() const {
    __syncthreads();
    if (threadIdx.x == 0) memory.held = 0;
    __syncthreads();
  }
  __device__ unsigned held() const {
    __syncthreads();
    return memory.held;
  }
  // Room for so many keys of this thread, where there still is.
  __device__ unsigned places(unsigned count) const { return atomicAdd(&memory.held, count); }
  __device__ void put(unsigned at, Key key) const {
    if (at < room) keys[at] = key;
  }
};

// Calls use(key, column) with this thread's share of a row: of every `step`-th four.
template <bool largest_first, typename Use>
__device__ __forceinline__ void each(const SelectionRow& row, unsigned step, const Use& use) {
  const std::uint64_t end = row.vectors();
  for (std::uint64_t v = std::uint64_t{threadIdx.x} * step; v < end; v += std::uint64_t{blockDim.x} * step) {
    const float4 four = row.read(static_cast<std::uint32_t>(v));
    const float values[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (unsigned i = 0; i < 4; ++i)
      if (const std::uint32_t column = row.column(4 * v + i); column != 0xFFFFFFFFu)
        use(ordered_key<largest_first>(values[i]), column);
  }
}

// Lists what is not beyond a value; how much that is.
template <bool largest_first>
__device__ __forceinline__ unsigned list_up_to(const SelectionRow& row, std::uint32_t value, const List& list) {
  using Chunk = SelectionChunk<vectors, largest_first, false>;
  const Key bound = make_key(value, 0xFFFFFFFFu);
  const std::uint64_t end = row.vectors();
  const unsigned step = vectors * blockDim.x;
  list.clear();
  // What comes next is on its way while a chunk is looked at.
  Chunk next(row);
  next.read_stream(0);
  for (std::uint64_t first = 0; first < end; first += step) {
    const Chunk chunk = next;
    if (first + step < end) next.read_stream(first + step);
    const unsigned chosen = chunk.chosen(bound);
    if (chosen == 0) continue;
    unsigned at = list.places(__popc(chosen));
#pragma unroll
    for (unsigned j = 0; j < Chunk::count; ++j)
      if ((chosen >> j & 1) != 0) list.put(at++, make_key(chunk.key(j), chunk.index(j)));
  }
  return list.held();
}

// Lists exactly the k smallest.
template <bool largest_first>
__device__ __noinline__ void list_exactly(const SelectionRow& row, unsigned k, const List& list) {
  CountingMemory& counting = list.memory.counting;
  const std::uint32_t kth = kth_by_counting(k, 0, counting, [&](const auto& use) {
    each<largest_first>(row, 1, [&](std::uint32_t key, std::uint32_t) { use(key); });
  });
  list.clear();
  each<largest_first>(row, 1, [&](std::uint32_t key, std::uint32_t) {
    if (key < kth) list.places(1);
  });
  // Of equal values those of the first columns are taken.
  const unsigned equal = k - list.held();
  const std::uint32_t last = equal == 0 ? 0 : kth_by_counting(equal, 0, counting, [&](const auto& use) {
    each<largest_first>(row, 1, [&](std::uint32_t key, std::uint32_t column) {
      if (key == kth) use(column);
    });
  });
  list.clear();
  each<largest_first>(row, 1, [&](std::uint32_t key, std::uint32_t column) {
    if (key < kth || (key == kth && equal != 0 && column <= last)) list.put(list.places(1), make_key(key, column));
  });
  __syncthreads();
}

template <bool largest_first>
__global__ void __launch_bounds__(most_threads) select(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ Key shared[];
  __shared__ Memory memory;
  const std::uint64_t number = row_of_workgroup();
  if (number >= p.rows.rows) return;
  const SelectionRow row(p.rows, number);
  const unsigned k = p.result.k;
  Key* const keys = reinterpret_cast<Key*>(p.lists) + 2 * number * p.room;
  const List list{keys, p.room, memory};
  const std::uint32_t bound = kth_by_counting(p.sample_rank, p.sample_rank / 16, memory.counting, [&](const auto& use) {
    each<largest_first>(row, p.sample_step, [&](std::uint32_t key, std::uint32_t) { use(key); });
  });
  unsigned count = list_up_to<largest_first>(row, bound, list);
  if (count < k || count > p.room) {
    list_exactly<largest_first>(row, k, list);
    count = k;
  }
  const Key* sorted = in_order(keys, keys + p.room, count, k, shared, launch.as<passes::SampleSelectConstants>().run);
  for (unsigned slot = threadIdx.x; slot < k; slot += blockDim.x)
    write_selected(p.result, p.rows, number, slot, sorted[slot], largest_first);
}

}  // namespace

PROXEL_KERNEL(sample_select)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::SampleSelectConstants>();
  if (!whole_warps(pass.workgroup_size) || pass.workgroup_size > most_threads) return {};
  return constants.largest_first != 0 ? variant(select<true>, in_order_bytes(constants.run))
                                      : variant(select<false>, in_order_bytes(constants.run));
}

}  // namespace proxel::cuda
