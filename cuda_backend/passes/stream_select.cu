#include "kernels/chain.cuh"
#include "kernels/pool_select.cuh"
#include "kernels/selection_rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/stream_select.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::StreamSelectParameters;

// Vectors that each thread reads before it uses the first.
constexpr unsigned vectors = 4;

// Returns whether the k smallest are held.
// @param next  what is offered first, read
template <typename Chunk, typename Pool>
__device__ __forceinline__ bool offer_row(Pool& selection, const SelectionRow& values, unsigned capacity, Chunk next) {
  const std::uint64_t end = values.vectors();
  const unsigned step = vectors * blockDim.x;
  for (std::uint64_t first = 0; first < end; first += step) {
    const Chunk chunk = next;
    // What comes next is on its way while a chunk is looked at.
    if (first + step < end) next.read_stream(first + step);
    if (first == 0 && values.columns > capacity && !selection.guessed()) selection.template prime<Chunk::count>(chunk);
    selection.template offer<Chunk::count>(chunk);
  }
  return selection.complete();
}

template <bool largest_first, bool distributes>
__device__ void select_row(const Parameters& p, unsigned capacity) {
  follow_previous_pass();
  extern __shared__ float4 shared[];
  const std::uint64_t row = row_of_workgroup();
  if (row >= p.rows.rows) return;
  const SelectionRow values(p.rows, row);
  PoolSelect<distributes> selection(shared, capacity, min(p.result.k, p.rows.columns));
  using Chunk = SelectionChunk<vectors, largest_first, true>;
  const unsigned rank = selection.rank_of_sample(Chunk::count * blockDim.x, values.columns);
  Chunk sample(values), first(values);
  if (rank != 0) sample.read_sample();
  // The first values are on their way, too, while the bound is guessed.
  first.read_stream(0);
  if (rank != 0) selection.template guess<Chunk::count>(sample, rank);
#pragma unroll 1
  while (!offer_row<Chunk>(selection, values, capacity, first)) {
    selection.restart();
    first.read_stream(0);
  }
  selection.write(p.result, p.rows, static_cast<std::uint32_t>(row), largest_first);
}

// Two sizes, because registers are allotted for the largest workgroup.
template <bool largest_first, bool distributes>
__global__ void __launch_bounds__(256, 3) select_small(const Parameters p, const Launch launch) {
  select_row<largest_first, distributes>(p, launch.as<passes::StreamSelectConstants>().capacity);
}
template <bool largest_first>
__global__ void __launch_bounds__(1024) select_large(const Parameters p, const Launch launch) {
  select_row<largest_first, true>(p, launch.as<passes::StreamSelectConstants>().capacity);
}

template <bool largest_first>
Kernel choose(std::uint32_t capacity, std::uint32_t workgroup_size) {
  const std::uint32_t bytes = PoolSelect<true>::shared_bytes(capacity);
  if (capacity <= passes::largest_sorted_pool)
    return variant(select_small<largest_first, false>, PoolSelect<false>::shared_bytes(capacity));
  return workgroup_size <= 256 ? variant(select_small<largest_first, true>, bytes)
                               : variant(select_large<largest_first>, bytes);
}

}  // namespace

PROXEL_KERNEL(stream_select)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::StreamSelectConstants>();
  if (!pool_selectable(constants.capacity, pass.workgroup_size)) return {};
  return constants.largest_first != 0 ? choose<true>(constants.capacity, pass.workgroup_size)
                                      : choose<false>(constants.capacity, pass.workgroup_size);
}

}  // namespace proxel::cuda
