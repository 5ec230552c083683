#include "kernels/chain.cuh"
#include "kernels/pool_select.cuh"
#include "kernels/sampled_four.cuh"
#include "kernels/selection_rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/sample_bound.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::SampleBoundParameters;
using Pool = PoolSelect<true>;

// Fours that each thread reads before it uses the first.
constexpr unsigned fours_at_once = 4;

template <bool largest_first>
__global__ void __launch_bounds__(512) find_bounds(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ float4 shared[];
  const unsigned capacity = launch.as<passes::SampleBoundConstants>().capacity;
  const std::uint64_t number = row_of_workgroup();
  if (number >= p.rows.rows) return;
  const SelectionRow row(p.rows, number);
  auto* const bounds = reinterpret_cast<Key*>(p.bounds) + number * p.parts;
  for (unsigned part = threadIdx.x; part < p.parts; part += blockDim.x) {
    bounds[part] = no_row;
    reinterpret_cast<std::uint32_t*>(p.counters)[number * p.parts + part] = 0;
  }
  using Chunk = SelectionChunk<fours_at_once, largest_first, false>;
  const auto sampled = static_cast<unsigned>(fours_of_sample(row.vectors(), p.sample_step));
  const auto read = [&](unsigned first) {
    Chunk chunk(row);
#pragma unroll
    for (unsigned i = 0; i < fours_at_once; ++i)
      chunk.read(i, sampled_four(first + i * blockDim.x + threadIdx.x, sampled, p.sample_step));
    return chunk;
  };
  // Its first barrier is behind what was written above.
  Pool selection(shared, capacity, p.sample_rank);
  const unsigned step = fours_at_once * blockDim.x;
  Chunk next = read(0);
  for (unsigned first = 0; first < sampled; first += step) {
    const Chunk chunk = next;
    // What comes next is on its way while a chunk is looked at.
    if (first + step < sampled) next = read(first + step);
    if (first == 0 && 4 * sampled > capacity) selection.prime<Chunk::count>(chunk);
    selection.offer<Chunk::count>(chunk);
  }
  selection.write_in_order([&](unsigned slot, Key key) {
    // Of the part that ends with this key, if one does.
    const unsigned part = ((slot + 1) * p.parts + p.sample_rank - 1) / p.sample_rank;
    if (part * p.sample_rank / p.parts == slot + 1) bounds[part - 1] = key;
  });
}

}  // namespace

PROXEL_KERNEL(sample_bound)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::SampleBoundConstants>();
  if (!pool_selectable(constants.capacity, pass.workgroup_size) || pass.workgroup_size > 512) return {};
  const std::uint32_t bytes = Pool::shared_bytes(constants.capacity);
  return constants.largest_first != 0 ? variant(find_bounds<true>, bytes) : variant(find_bounds<false>, bytes);
}

}  // namespace proxel::cuda
