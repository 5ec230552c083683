#include "kernels/chain.cuh"
#include "kernels/matches.cuh"
#include "kernels/order.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/range_sort.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::RangeSortParameters;
using passes::range_run;
using passes::range_run_log2;

constexpr unsigned threads = 128;

// The matches of one query.
struct Held {
  std::uint32_t* indices;
  std::uint32_t* distance_keys;
  std::uint32_t count;

  __device__ Key operator[](std::uint32_t i) const { return make_key(distance_keys[i], indices[i]); }
  __device__ void set(std::uint32_t i, Key key) const {
    indices[i] = static_cast<std::uint32_t>(key);
    distance_keys[i] = static_cast<std::uint32_t>(key >> 32);
  }
};

// Steps of falling distance that make halves of 2^merged_log2, each sorted or
// bitonic, ascending; the first counts from the end where from_the_end is set.
__device__ void merge_in_run(Key* run, unsigned size, unsigned merged_log2, bool from_the_end) {
  for (unsigned log2 = merged_log2; log2-- > 0;) {
    const unsigned distance = 1u << log2;
    const bool turned = from_the_end && log2 + 1 == merged_log2;
    for (unsigned i = threadIdx.x; i < size / 2; i += threads) {
      const unsigned start = (i >> log2) << (log2 + 1);
      const unsigned offset = i & (distance - 1);
      const unsigned low = start + offset;
      const unsigned high = turned ? start + 2 * distance - 1 - offset : low + distance;
      const Key a = run[low];
      const Key b = run[high];
      if (b < a) {
        run[low] = b;
        run[high] = a;
      }
    }
    __syncthreads();
  }
}

__global__ void __launch_bounds__(threads) sort_runs(const Parameters p) {
  follow_previous_pass();
  __shared__ Key run[range_run];
  const Matches matches(p.offsets, blockIdx.y, p.capacity);
  const bool first_time = p.merged_log2 == 0;
  if (matches.count == 0 || (!first_time && matches.count <= 1u << (p.merged_log2 - 1))) return;
  const Held held{reinterpret_cast<std::uint32_t*>(p.indices) + matches.first,
                  reinterpret_cast<std::uint32_t*>(p.distance_keys) + matches.first, matches.count};
  const unsigned runs = (held.count - 1) / range_run + 1;
  for (unsigned r = blockIdx.x; r < runs; r += gridDim.x) {
    const std::uint32_t first = r * range_run;
    const unsigned count = min(range_run, held.count - first);
    // The smallest power of two that holds all.
    unsigned size_log2 = range_run_log2;
    while (first_time && size_log2 > 1 && 1u << (size_log2 - 1) >= count) --size_log2;
    const unsigned size = 1u << size_log2;
    for (unsigned i = threadIdx.x; i < size; i += threads) run[i] = i < count ? held[first + i] : no_row;
    __syncthreads();
    if (first_time)
      for (unsigned merged_log2 = 1; merged_log2 <= size_log2; ++merged_log2)
        merge_in_run(run, size, merged_log2, true);
    else
      merge_in_run(run, size, size_log2, false);
    for (unsigned i = threadIdx.x; i < count; i += threads) held.set(first + i, run[i]);
    __syncthreads();
  }
}

// One step of a distance that is longer than a run.
__global__ void __launch_bounds__(threads) exchange_far(const Parameters p) {
  follow_previous_pass();
  const Matches matches(p.offsets, blockIdx.y, p.capacity);
  if (matches.count <= 1u << (p.merged_log2 - 1)) return;
  const Held held{reinterpret_cast<std::uint32_t*>(p.indices) + matches.first,
                  reinterpret_cast<std::uint32_t*>(p.distance_keys) + matches.first, matches.count};
  const std::uint64_t distance = std::uint64_t{1} << p.distance_log2;
  const bool turned = p.distance_log2 + 1 == p.merged_log2;
  const std::uint64_t pairs = ((std::uint64_t{held.count} - 1) / (2 * distance) + 1) * distance;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * threads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * threads + threadIdx.x; i < pairs; i += stride) {
    const std::uint64_t start = (i >> p.distance_log2) * 2 * distance;
    const std::uint64_t offset = i & (distance - 1);
    const std::uint64_t low = start + offset;
    const std::uint64_t high = turned ? start + 2 * distance - 1 - offset : low + distance;
    if (high >= held.count) continue;
    const Key a = held[static_cast<std::uint32_t>(low)];
    const Key b = held[static_cast<std::uint32_t>(high)];
    if (b < a) {
      held.set(static_cast<std::uint32_t>(low), b);
      held.set(static_cast<std::uint32_t>(high), a);
    }
  }
}

}  // namespace

PROXEL_KERNEL(range_sort)(const Pass& pass) {
  const auto parameters = pass.as<Parameters>();
  if (pass.workgroup_size != threads) return {};
  const bool in_runs = parameters.merged_log2 == 0 || parameters.distance_log2 + 1 == range_run_log2;
  return in_runs ? variant(sort_runs) : variant(exchange_far);
}

}  // namespace proxel::cuda
