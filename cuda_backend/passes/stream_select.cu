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
template <typename Chunk>
__device__ __forceinline__ bool offer_row(PoolSelect& selection, const SelectionRow& values, unsigned capacity) {
  const std::uint64_t end = values.vectors();
  const unsigned step = vectors * blockDim.x;
  // What comes next is on its way while a chunk is looked at.
  Chunk next(values);
  next.read_stream(0);
  for (std::uint64_t first = 0; first < end; first += step) {
    const Chunk chunk = next;
    if (first + step < end) next.read_stream(first + step);
    if (first == 0 && values.columns > capacity && !selection.guessed()) selection.prime<Chunk::count>(chunk);
    selection.offer<Chunk::count>(chunk);
  }
  return selection.complete();
}

template <bool largest_first>
__device__ void select_row(const Parameters& p, unsigned capacity) {
  follow_previous_pass();
  extern __shared__ float4 shared[];
  const std::uint64_t row = row_of_workgroup();
  if (row >= p.rows.rows) return;
  const SelectionRow values(p.rows, row);
  PoolSelect selection(shared, capacity, min(p.result.k, p.rows.columns));
  using Chunk = SelectionChunk<vectors, largest_first, true>;
  if (const unsigned rank = selection.rank_of_sample(Chunk::count * blockDim.x, values.columns)) {
    Chunk sample(values);
    sample.read_sample();
    selection.guess<Chunk::count>(sample, rank);
  }
#pragma unroll 1
  while (!offer_row<Chunk>(selection, values, capacity)) selection.restart();
  selection.write(p.result, p.rows, static_cast<std::uint32_t>(row), largest_first);
}

// Two sizes, because registers are allotted for the largest workgroup.
template <bool largest_first>
__global__ void __launch_bounds__(256, 3) select_small(const Parameters p, const Launch launch) {
  select_row<largest_first>(p, launch.as<passes::StreamSelectConstants>().capacity);
}
template <bool largest_first>
__global__ void __launch_bounds__(1024) select_large(const Parameters p, const Launch launch) {
  select_row<largest_first>(p, launch.as<passes::StreamSelectConstants>().capacity);
}

}  // namespace

PROXEL_KERNEL(stream_select)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::StreamSelectConstants>();
  if (!pool_selectable(constants.capacity, pass.workgroup_size)) return {};
  const std::uint32_t bytes = PoolSelect::shared_bytes(constants.capacity);
  if (pass.workgroup_size <= 256)
    return constants.largest_first != 0 ? variant(select_small<true>, bytes) : variant(select_small<false>, bytes);
  return constants.largest_first != 0 ? variant(select_large<true>, bytes) : variant(select_large<false>, bytes);
}

}  // namespace proxel::cuda
