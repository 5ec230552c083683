#include "kernels/block_select.cuh"
#include "kernels/chain.cuh"
#include "kernels/decode.cuh"
#include "kernels/filter.cuh"
#include "kernels/gathered_distance.cuh"
#include "kernels/merge.cuh"
#include "kernels/rows.cuh"
#include "kernels/undecided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/scan_select.h"
#include "proxel/passes/scan_undecided.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScanUndecidedParameters;
constexpr unsigned threads = 128;
constexpr unsigned step_rows = passes::scan_tiles_per_step * passes::tile_rows;
static_assert(threads == tile_rows);

// Steps of several tiles go around the groups, as in scan_select.
template <typename Offer>
__device__ __forceinline__ void offer_rows(const passes::Rows& rows, unsigned group, unsigned groups,
                                           const Offer& offer) {
  const unsigned tiles = tile_count(rows);
  for (unsigned i = 0;; ++i) {
    const unsigned step = i / passes::scan_tiles_per_step * groups + group;
    const std::uint64_t tile = std::uint64_t{step} * passes::scan_tiles_per_step + i % passes::scan_tiles_per_step;
    if (tile >= tiles) {
      if (i % passes::scan_tiles_per_step == 0) break;
      continue;
    }
    const unsigned row = static_cast<unsigned>(tile) * tile_rows + threadIdx.x;
    offer(row < rows.count, row);
  }
}

// The same of rows that a filter allows, which wait until there is one for each thread.
template <typename Offer>
__device__ __forceinline__ void offer_allowed(const Parameters& p, const Filter& filter, unsigned group,
                                              unsigned groups, const Offer& offer) {
  __shared__ unsigned waiting, waiting_rows[threads + step_rows], wanted[threads / 32];
  if (threadIdx.x == 0) waiting = 0;
  const unsigned steps = (p.rows.count - 1) / step_rows + 1, last = p.first_index + (p.rows.count - 1);
  // Each thread looks whether one of the steps that come next is worth it.
  for (unsigned first = group; first < steps; first += groups * threads) {
    const unsigned ahead = first + groups * threadIdx.x, index = p.first_index + ahead * step_rows;
    const unsigned lanes = __ballot_sync(
        0xFFFFFFFFu, ahead < steps && filter.may_allow_any(index, index + min(step_rows - 1, last - index)));
    if (threadIdx.x % 32 == 0) wanted[threadIdx.x / 32] = lanes;
    __syncthreads();
    for (unsigned warp = 0; warp < threads / 32; ++warp)
      for (unsigned steps_left = wanted[warp]; steps_left != 0; steps_left &= steps_left - 1) {
        const unsigned step = first + groups * (32 * warp + __ffs(static_cast<int>(steps_left)) - 1);
        const unsigned row = step * step_rows + 4 * threadIdx.x;
        unsigned bits = row < p.rows.count ? filter.four(p.first_index + row, last) : 0;
        if (row < p.rows.count && p.rows.count - row < 4) bits &= (1u << (p.rows.count - row)) - 1;
        if (bits != 0)
          for (unsigned place = atomicAdd(&waiting, __popc(bits)); bits != 0; bits &= bits - 1)
            waiting_rows[place++] = row + __ffs(static_cast<int>(bits)) - 1;
        __syncthreads();
        unsigned left = waiting;
        for (; left >= threads; left -= threads) offer(true, waiting_rows[left - threads + threadIdx.x]);
        __syncthreads();
        if (threadIdx.x == 0) waiting = left;
        __syncthreads();
      }
    __syncthreads();
  }
  offer(threadIdx.x < waiting, waiting_rows[threadIdx.x]);
}

template <Metric metric>
__global__ void __launch_bounds__(threads) scan(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ float4 shared[];
  const Undecided undecided(p);
  const bool in_rounds = p.k < p.result_stride;
  auto* last_keys = reinterpret_cast<Key*>(p.found);
  const unsigned pairs = undecided.count * undecided.groups;
  for (unsigned pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
    const unsigned served = pair / undecided.groups, number = undecided.query(served);
    const float* query = reinterpret_cast<const float*>(p.queries) + std::uint64_t{number} * p.dimensions;
    const After after(p.first_rank == 0 ? 0 : p.found, 1, served);
    __syncthreads();  // what was found before has been written
    BlockSelect selection(shared, launch.as<passes::ScanUndecidedConstants>().list_length, p.k);
    __syncthreads();
    const auto offer = [&](bool given, unsigned row) {
      Key keys[1] = {no_row};
      if (given)
        keys[0] = after.filter(make_key(
            distance_key<metric>(gathered_distance<metric>(p.rows, row, query, p.dimensions)), p.first_index + row));
      selection.offer(keys);
    };
    if (p.filter_bits == 0)
      offer_rows(p.rows, pair % undecided.groups, undecided.groups, offer);
    else
      offer_allowed(p, Filter(p.filter_bits, p.filter_stride, number), pair % undecided.groups, undecided.groups,
                    offer);
    if (undecided.groups == 1) {
      selection.finish();
    } else {
      Key* lists = last_keys + (in_rounds ? p.lists : 0) + std::uint64_t{served} * undecided.groups * p.k;
      selection.write(lists + std::uint64_t{pair % undecided.groups} * p.k);
      if (!arrives_last(reinterpret_cast<unsigned*>(p.tickets) + served, undecided.groups)) continue;
      selection.restart();
      merge_ranks(lists, undecided.groups, p.k, selection);
      selection.finish();
    }
    if (in_rounds && threadIdx.x == 0) last_keys[served] = selection[p.k - 1];
    const std::uint64_t first = std::uint64_t{number} * p.result_stride + p.first_rank;
    for (unsigned rank = threadIdx.x; rank < p.k; rank += threads) {
      const Key key = selection[rank];
      reinterpret_cast<std::uint32_t*>(p.indices)[first + rank] = decoded_index(key);
      reinterpret_cast<float*>(p.distances)[first + rank] = decoded_distance(key, metric == Metric::ip, p.finish);
    }
  }
}

}  // namespace

PROXEL_KERNEL(scan_undecided)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::ScanUndecidedConstants>();
  // A list of one is kept in a pool of two.
  const std::uint32_t list_length = constants.list_length;
  if (pass.workgroup_size != threads || !selectable(list_length, threads)) return {};
  return for_metric(constants.metric, [&](auto metric) {
    return variant(scan<decltype(metric)::value>, select_bytes(list_length, threads));
  });
}

}  // namespace proxel::cuda
