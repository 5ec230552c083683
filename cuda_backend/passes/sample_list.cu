#include "kernels/chain.cuh"
#include "kernels/selection_rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/sample_list.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::SampleListParameters;
constexpr unsigned most_threads = 256;

// The first part whose bound a key does not exceed; it does not exceed the last part's.
__device__ __forceinline__ unsigned part_of(Key key, const Key* bounds, unsigned parts) {
  unsigned low = 0, high = parts - 1;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (bounds[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

template <bool largest_first>
__global__ void __launch_bounds__(most_threads) list_up_to_bound(const Parameters p) {
  follow_previous_pass();
  using Chunk = SelectionChunk<passes::listed_fours, largest_first, true>;
  __shared__ Key gathered[passes::listed_at_once];
  __shared__ unsigned listed;  // keys of this workgroup
  __shared__ Key bounds[passes::most_sample_parts];
  __shared__ unsigned taken[passes::most_sample_parts];  // places of a part, by this workgroup
  __shared__ unsigned place[passes::most_sample_parts];  // the next of these
  const std::uint64_t number = row_of_sharing_workgroups();
  if (number >= p.rows.rows) return;
  const SelectionRow row(p.rows, number);
  const std::uint64_t first = std::uint64_t{blockIdx.x} * p.segment_fours;
  const std::uint64_t end = min(first + p.segment_fours, row.vectors());
  if (first >= end) return;
  const unsigned parts = p.parts;
  const unsigned step = passes::listed_fours * blockDim.x;
  auto* const counters = reinterpret_cast<std::uint32_t*>(p.counters) + number * parts;
  Key* const lists = reinterpret_cast<Key*>(p.lists) + 2 * number * parts * p.room;
  // What comes next is on its way while a chunk is looked at.
  Chunk next(row);
  next.read_stream(first);
  for (unsigned part = threadIdx.x; part < parts; part += blockDim.x) {
    bounds[part] = reinterpret_cast<const Key*>(p.bounds)[number * parts + part];
    taken[part] = 0;
  }
  if (threadIdx.x == 0) listed = 0;
  __syncthreads();
  const Key bound = bounds[parts - 1];
  const auto put = [&](unsigned part, unsigned to, Key key) {
    if (to < p.room) lists[std::uint64_t{part} * p.room + to] = key;
  };
  const auto append = [&](Key key) {
    const unsigned part = part_of(key, bounds, parts);
    put(part, atomicAdd(&counters[part], 1u), key);
  };
  for (std::uint64_t at = first; at < end; at += step) {
    const Chunk chunk = next;
    if (at + step < end) next.read_stream(at + step);
    const unsigned chosen = chunk.up_to(bound, at);
    if (chosen == 0) continue;
    const auto each_chosen = [&](const auto& use) {
#pragma unroll
      for (unsigned j = 0; j < Chunk::count; ++j)
        if ((chosen >> j & 1) != 0) use(make_key(chunk.key(j), chunk.index(j)));
    };
    unsigned to = atomicAdd(&listed, __popc(chosen));
    if (to + __popc(chosen) <= passes::listed_at_once) {
      each_chosen([&](Key key) { gathered[to++] = key; });
      continue;
    }
    each_chosen([&](Key key) {
      if (to < passes::listed_at_once)
        gathered[to] = key;
      else
        append(key);
      ++to;
    });
  }
  __syncthreads();
  const unsigned count = min(listed, passes::listed_at_once);
  if (parts == 1) {
    if (threadIdx.x == 0) taken[0] = count;
  } else {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
      atomicAdd(&taken[part_of(gathered[i], bounds, parts)], 1u);
  }
  __syncthreads();
  for (unsigned part = threadIdx.x; part < parts; part += blockDim.x)
    if (taken[part] != 0) place[part] = atomicAdd(&counters[part], taken[part]);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
    const Key key = gathered[i];
    const unsigned part = part_of(key, bounds, parts);
    put(part, parts == 1 ? place[0] + i : atomicAdd(&place[part], 1u), key);
  }
}

}  // namespace

PROXEL_KERNEL(sample_list)(const Pass& pass) {
  if (!whole_warps(pass.workgroup_size) || pass.workgroup_size > most_threads) return {};
  return pass.constants_as<passes::SampleListConstants>().largest_first != 0 ? variant(list_up_to_bound<true>)
                                                                             : variant(list_up_to_bound<false>);
}

}  // namespace proxel::cuda
