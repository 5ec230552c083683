#include "kernels/block_select.cuh"
#include "kernels/chain.cuh"
#include "kernels/filter.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/select_rows.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::SelectRowsParameters;

// Groups of four columns that each thread reads before it uses the first.
constexpr unsigned fours = 2;

// The columns of this workgroup, and the list it keeps for them.
struct Segment {
  const std::uint32_t* keys;
  Key* list;
  unsigned first;
  unsigned end;
  bool vectors;  // four columns are one aligned read

  __device__ explicit Segment(const Parameters& p)
      : keys(reinterpret_cast<const std::uint32_t*>(p.keys) + std::uint64_t{blockIdx.y} * p.keys_stride),
        list(reinterpret_cast<Key*>(p.lists) + (std::uint64_t{blockIdx.y} * p.segments + blockIdx.x) * p.k) {
    const std::uint64_t begin = std::uint64_t{blockIdx.x} * p.segment_columns;
    first = static_cast<unsigned>(begin < p.columns ? begin : p.columns);
    end = first + min(p.segment_columns, p.columns - first);
    vectors = reinterpret_cast<std::uint64_t>(keys) % 16 == 0;
  }

  // Keys of four columns; no_row past the end and where `after` or the filter passes over them.
  __device__ __forceinline__ void read(unsigned column, const Parameters& p, const After& after, const Filter& filter,
                                       Key* four) const {
    const unsigned allowed = column < end ? filter.four(p.first_index + column, p.first_index + end - 1) : 0;
    std::uint32_t distances[4] = {};
    if (vectors && column < end && end - column >= 4) {
      const uint4 read = __ldcs(reinterpret_cast<const uint4*>(keys + column));
      distances[0] = read.x;
      distances[1] = read.y;
      distances[2] = read.z;
      distances[3] = read.w;
    } else {
#pragma unroll
      for (unsigned i = 0; i < 4; ++i)
        if (column < end && end - column > i) distances[i] = keys[column + i];
    }
#pragma unroll
    for (unsigned i = 0; i < 4; ++i)
      four[i] = column < end && end - column > i && (allowed >> i & 1u) != 0
                    ? after.filter(make_key(distances[i], p.first_index + column + i))
                    : no_row;
  }
};

// Calls take(keys) with 4 * fours keys of each thread until the segment is read.
template <typename Take>
__device__ __forceinline__ void visit_columns(const Segment& segment, const Parameters& p, const Take& take) {
  const After after(p.after, p.after_stride, blockIdx.y);
  const Filter filter(p.filter_bits, p.filter_stride, blockIdx.y);
  const unsigned step = 4 * fours * blockDim.x;
  const unsigned count = segment.end - segment.first;
  for (unsigned done = 0; done < count; done += min(step, count - done)) {
    Key keys[4 * fours];
#pragma unroll
    for (unsigned i = 0; i < fours; ++i) {
      // Past the end in 64 bits, so that it cannot wrap around.
      const std::uint64_t column = std::uint64_t{segment.first} + done + 4 * (i * blockDim.x + threadIdx.x);
      segment.read(static_cast<unsigned>(column < segment.end ? column : segment.end), p, after, filter, keys + 4 * i);
    }
    take(keys);
  }
}

__global__ void __launch_bounds__(1024) select_nearest(const Parameters p) {
  follow_previous_pass();
  __shared__ Key shared[32];
  const Segment segment(p);
  Key best = no_row;
  visit_columns(segment, p, [&](const Key(&keys)[4 * fours]) {
#pragma unroll
    for (unsigned i = 0; i < 4 * fours; ++i) best = smaller(best, keys[i]);
  });
  best = workgroup_minimum(best, shared);
  if (threadIdx.x == 0) *segment.list = p.first_chunk ? best : smaller(best, *segment.list);
}

__global__ void __launch_bounds__(1024) select_lists(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ float4 shared[];
  const Segment segment(p);
  BlockSelect selection(shared, launch.as<passes::SelectRowsConstants>().list_length, p.k);
  if (!p.first_chunk) selection.resume(segment.list);
  visit_columns(segment, p, [&](const Key(&keys)[4 * fours]) { selection.offer(keys); });
  selection.write(segment.list);
}

}  // namespace

PROXEL_KERNEL(select_rows)(const Pass& pass) {
  const std::uint32_t list_length = pass.constants_as<passes::SelectRowsConstants>().list_length;
  if (!selectable(list_length, pass.workgroup_size)) return {};
  if (list_length == 1) return variant(select_nearest);
  return variant(select_lists, select_bytes(list_length, pass.workgroup_size));
}

}  // namespace proxel::cuda
