#include "kernels/chain.cuh"
#include "kernels/pool_select.cuh"
#include "kernels/selection_rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/group_select.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::GroupSelectParameters;
using Pool = PoolSelect<true>;

// Minima, and pieces of groups, that each thread reads before it uses the first.
constexpr unsigned minima_at_once = 8;
constexpr unsigned pieces_at_once = 2;

struct MinimaChunk {
  Key keys[minima_at_once];

  __device__ __forceinline__ std::uint32_t key(unsigned j) const { return static_cast<std::uint32_t>(keys[j] >> 32); }
  __device__ __forceinline__ std::uint32_t index(unsigned j) const { return static_cast<std::uint32_t>(keys[j]); }
  __device__ __forceinline__ Key chosen_key(unsigned j) const { return keys[j]; }
  __device__ __forceinline__ unsigned chosen(Key bound) const {
    unsigned bits = 0;
#pragma unroll
    for (unsigned j = 0; j < minima_at_once; ++j) bits |= static_cast<unsigned>(keys[j] <= bound) << j;
    return bits;
  }
};

template <bool largest_first>
__global__ void __launch_bounds__(1024) select_row(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ float4 shared[];
  const unsigned capacity = launch.as<passes::GroupSelectConstants>().capacity;
  const std::uint64_t row = row_of_workgroup();
  if (row >= p.rows.rows) return;
  const SelectionRow values(p.rows, row);
  const Key* minima = reinterpret_cast<const Key*>(p.minima) + row * p.groups;
  Pool selection(shared, capacity, min(p.result.k, p.rows.columns));

  for (unsigned first = 0; first < p.groups; first += minima_at_once * blockDim.x) {
    MinimaChunk chunk;
#pragma unroll
    for (unsigned i = 0; i < minima_at_once; ++i) {
      const unsigned group = first + i * blockDim.x + threadIdx.x;
      chunk.keys[i] = group < p.groups ? minima[group] : no_row;
    }
    if (first == 0 && p.groups > capacity) selection.prime<minima_at_once>(chunk);
    selection.offer<minima_at_once>(chunk);
  }
  selection.tighten();

  // The groups to read again, in front of which their keys stood.
  auto* groups = reinterpret_cast<unsigned*>(reinterpret_cast<char*>(shared) + Pool::shared_bytes(capacity));
  const unsigned group_count = selection.held();
  for (unsigned i = threadIdx.x; i < group_count; i += blockDim.x) {
    const auto column = static_cast<std::uint32_t>(selection[i]);
    const std::uint32_t piece = column / 8 + (column % 8 + values.skip) / 8;
    groups[i] = piece / p.merge % p.groups;
  }
  selection.clear();

  // Not more than a row has of pieces.
  const unsigned per_group = p.steps * p.merge;
  const unsigned pieces = group_count * per_group;
  const unsigned merge_bits = 31 - __clz(static_cast<int>(p.merge));
  const auto read = [&](unsigned first) {
    SelectionChunk<2 * pieces_at_once, largest_first, false> chunk(values);
#pragma unroll
    for (unsigned i = 0; i < pieces_at_once; ++i) {
      const unsigned item = first + i * blockDim.x + threadIdx.x;
      // Past the last one, a piece that no row has.
      unsigned piece = 1u << 30;
      if (item < pieces) {
        const unsigned group = item / per_group;
        const unsigned rest = item - group * per_group;
        piece = (((rest >> merge_bits) * p.groups + groups[group]) << merge_bits) + (rest & (p.merge - 1));
      }
      chunk.read(2 * i, 2 * piece);
      chunk.read(2 * i + 1, 2 * piece + 1);
    }
    return chunk;
  };
  const unsigned step = pieces_at_once * blockDim.x;
  auto next = read(0);
  for (unsigned first = 0; first < pieces; first += step) {
    const auto chunk = next;
    // What comes next is on its way while a chunk is looked at.
    if (first + step < pieces) next = read(first + step);
    selection.offer<decltype(next)::count>(chunk);
  }
  selection.write(p.result, p.rows, static_cast<std::uint32_t>(row), largest_first);
}

}  // namespace

PROXEL_KERNEL(group_select)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::GroupSelectConstants>();
  if (!pool_selectable(constants.capacity, pass.workgroup_size)) return {};
  // Half of the pool's keys may name a group.
  const std::uint32_t bytes = Pool::shared_bytes(constants.capacity) + constants.capacity / 2 * 4;
  return constants.largest_first != 0 ? variant(select_row<true>, bytes) : variant(select_row<false>, bytes);
}

}  // namespace proxel::cuda
