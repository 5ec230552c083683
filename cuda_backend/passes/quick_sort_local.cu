#include "kernels/chain.cuh"
#include "kernels/selection_rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/quick_sort_local.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::QuickSortLocalParameters;

constexpr unsigned threads = 256;
constexpr unsigned warps = threads / 32;
constexpr unsigned shortest = passes::quick_sort_short;

// Who works on a subsequence.
struct Workgroup {
  static constexpr bool alone = false;
  static constexpr unsigned width = threads;
  static __device__ __forceinline__ unsigned lane() { return threadIdx.x; }
  static __device__ __forceinline__ void barrier() { __syncthreads(); }
};
struct Warp {
  static constexpr bool alone = true;
  static constexpr unsigned width = 32;
  static __device__ __forceinline__ unsigned lane() { return threadIdx.x % 32; }
  static __device__ __forceinline__ void barrier() { __syncwarp(); }
};

struct Sequence {
  unsigned first;
  unsigned count;

  static __device__ __forceinline__ Sequence unpacked(unsigned word) { return {word >> 16, word & 0xFFFF}; }
  __device__ __forceinline__ unsigned packed() const { return first << 16 | count; }
};

__device__ __forceinline__ Key median_of_three(Key a, Key b, Key c) {
  const Key low = min(a, b);
  const Key high = max(a, b);
  return max(low, min(high, c));
}

template <unsigned part>
struct PartSort {
  Key keys[part];
  unsigned shorts[part / 3 + 1];      // to be sorted sequentially
  unsigned middles[part / shortest];  // for single warps
  unsigned waiting[passes::quick_sort_stack];
  unsigned waiting_alone[warps][passes::quick_sort_stack];
  // Keys that went left (low half) and right; the other one is cleared meanwhile.
  unsigned sides[2];
  unsigned short_count;
  unsigned middle_count;

  __device__ void clear() {
    if (threadIdx.x != 0) return;
    sides[0] = 0;
    short_count = 0;
    middle_count = 0;
  }

  /// All threads call it, after a barrier.
  __device__ void sort(unsigned count) {
    const Sequence whole{0, count};
    if (long_enough<Workgroup>(whole)) split_up<Workgroup>(whole, waiting);
    __syncthreads();
    const unsigned warp = threadIdx.x / 32;
    for (unsigned i = warp; i < middle_count; i += warps)
      split_up<Warp>(Sequence::unpacked(middles[i]), waiting_alone[warp]);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < short_count; i += threads) sort_sequentially(Sequence::unpacked(shorts[i]));
    __syncthreads();
  }

 private:
  // Whether a subsequence is to be split here; otherwise it is put where it will be sorted.
  template <typename Team>
  __device__ __forceinline__ bool long_enough(Sequence part_of) {
    const bool leads = Team::lane() == 0;
    if (part_of.count < shortest) {
      if (leads && part_of.count > 1) shorts[atomicAdd(&short_count, 1u)] = part_of.packed();
      return false;
    }
    if (!Team::alone && part_of.count <= passes::quick_sort_alone * 32) {
      if (leads) middles[middle_count++] = part_of.packed();
      return false;
    }
    return true;
  }

  // Moves keys left and right of the median of three, which comes between them.
  // Returns how many went left.
  template <typename Team>
  __device__ __forceinline__ unsigned split(Sequence of, unsigned& turn) {
    constexpr unsigned items = Team::alone ? passes::quick_sort_alone : part / threads;
    Key* const from = keys + of.first;
    const Key pivot = median_of_three(from[0], from[of.count / 2], from[of.count - 1]);
    const unsigned lanes_before = (1u << (threadIdx.x % 32)) - 1;
    Key held[items];
    unsigned places[items];  // among the warp's that go to the same side
    unsigned lefts = 0;
    unsigned rights = 0;
#pragma unroll
    for (unsigned j = 0; j < items; ++j) {
      if (j * Team::width >= of.count) break;
      const unsigned i = j * Team::width + Team::lane();
      held[j] = from[min(i, of.count - 1)];
      const bool is_left = i < of.count && held[j] < pivot;
      const bool is_right = i < of.count && held[j] > pivot;
      const unsigned left_lanes = __ballot_sync(all_lanes, is_left);
      const unsigned right_lanes = __ballot_sync(all_lanes, is_right);
      places[j] = is_left ? lefts + __popc(left_lanes & lanes_before) : rights + __popc(right_lanes & lanes_before);
      lefts += __popc(left_lanes);
      rights += __popc(right_lanes);
    }
    unsigned before = 0;
    if constexpr (!Team::alone) {
      if (threadIdx.x % 32 == 0 && (lefts | rights) != 0) before = atomicAdd(&sides[turn], lefts | rights << 16);
      before = __shfl_sync(all_lanes, before, 0);
    }
    Team::barrier();
    if constexpr (!Team::alone) {
      lefts = sides[turn] & 0xFFFF;
      turn = 1 - turn;
      if (threadIdx.x == 0) sides[turn] = 0;
    }
#pragma unroll
    for (unsigned j = 0; j < items; ++j) {
      if (j * Team::width >= of.count) break;
      if (j * Team::width + Team::lane() >= of.count) continue;
      unsigned to = lefts;
      if (held[j] < pivot) to = (before & 0xFFFF) + places[j];
      if (held[j] > pivot) to = of.count - 1 - (before >> 16) - places[j];
      from[to] = held[j];
    }
    Team::barrier();
    return lefts;
  }

  // Splits until nothing is left that is long enough.
  template <typename Team>
  __device__ void split_up(Sequence now, unsigned* stack) {
    unsigned depth = 0;
    unsigned turn = 0;
    for (;;) {
      const unsigned lefts = split<Team>(now, turn);
      Sequence near{now.first, lefts};
      Sequence far{now.first + lefts + 1, now.count - lefts - 1};
      if (far.count < near.count) {
        const Sequence other = near;
        near = far;
        far = other;
      }
      const bool near_splits = long_enough<Team>(near);
      const bool far_splits = long_enough<Team>(far);
      if (near_splits) {
        if (Team::lane() == 0) stack[depth] = far.packed();
        ++depth;
        now = near;
      } else if (far_splits) {
        now = far;
      } else {
        if (depth == 0) return;
        now = Sequence::unpacked(stack[--depth]);
      }
    }
  }

  __device__ void sort_sequentially(Sequence of) {
    Key* const from = keys + of.first;
    for (unsigned i = 1; i < of.count; ++i) {
      const Key key = from[i];
      unsigned hole = i;
      for (; hole > 0 && key < from[hole - 1]; --hole) from[hole] = from[hole - 1];
      from[hole] = key;
    }
  }
};

// Barriers are waited for together with other workgroups of the multiprocessor:
// of the registers that the compiler would take, 2 of 4,096 keys and 4 of 2,048 found room.
constexpr unsigned workgroups_together(unsigned part) { return part == 4096 ? 4 : part == 2048 ? 5 : 6; }

template <unsigned part, bool largest_first>
__global__ void __launch_bounds__(threads, workgroups_together(part)) sort_parts(const Parameters p) {
  follow_previous_pass();
  __shared__ PartSort<part> sorter;
  const std::uint64_t row = blockIdx.y;
  const std::uint64_t first = (std::uint64_t{blockIdx.z} * gridDim.x + blockIdx.x) * part;
  if (first >= p.rows.columns) return;
  const unsigned count =
      static_cast<unsigned>(min(std::uint64_t{part}, static_cast<std::uint64_t>(p.rows.columns - first)));
  const float* const values = reinterpret_cast<const float*>(p.rows.values) + row * p.rows.row_stride + first;
#pragma unroll
  for (unsigned j = 0; j < part / threads; ++j) {
    const unsigned i = j * threads + threadIdx.x;
    if (i < count)
      sorter.keys[i] = make_key(ordered_key<largest_first>(values[i]), static_cast<std::uint32_t>(first + i));
  }
  sorter.clear();
  __syncthreads();
  sorter.sort(count);
  if (!p.target) {
    for (std::uint64_t slot = threadIdx.x; slot < p.result.k; slot += threads)
      write_selected(p.result, p.rows, row, slot, slot < count ? sorter.keys[slot] : no_row, largest_first);
    return;
  }
  Key* const target = reinterpret_cast<Key*>(p.target) + row * p.rows.columns + first;
  for (unsigned i = threadIdx.x; i < min(count, p.result.k); i += threads) target[i] = sorter.keys[i];
}

template <unsigned part>
Kernel for_part(bool largest_first) {
  return largest_first ? variant(sort_parts<part, true>) : variant(sort_parts<part, false>);
}

}  // namespace

PROXEL_KERNEL(quick_sort_local)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::QuickSortLocalConstants>();
  if (pass.workgroup_size != threads) return {};
  const bool largest_first = constants.largest_first != 0;
  switch (constants.part) {
    case 1024:
      return for_part<1024>(largest_first);
    case 2048:
      return for_part<2048>(largest_first);
    case 4096:
      return for_part<4096>(largest_first);
    default:
      return {};
  }
}

}  // namespace proxel::cuda
