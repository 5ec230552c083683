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

template <Metric metric>
__global__ void __launch_bounds__(threads) scan(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ float4 shared[];
  __shared__ unsigned wanted[threads / 32], waiting, waiting_rows[threads + step_rows];
  const Undecided undecided(p);
  const unsigned tiles = tile_count(p.rows), steps = (p.rows.count - 1) / step_rows + 1;
  const bool in_rounds = p.k < p.result_stride;
  auto* last_keys = reinterpret_cast<Key*>(p.found);
  const unsigned pairs = undecided.count * undecided.groups;
  for (unsigned pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
    const unsigned served = pair / undecided.groups, number = undecided.query(served);
    const float* query = reinterpret_cast<const float*>(p.queries) + std::uint64_t{number} * p.dimensions;
    const After after(p.first_rank == 0 ? 0 : p.found, 1, served);
    const Filter filter(p.filter_bits, p.filter_stride, number);
    __syncthreads();  // what was found before has been written
    if (threadIdx.x == 0) waiting = 0;
    BlockSelect selection(shared, launch.as<passes::ScanUndecidedConstants>().list_length, p.k);
    __syncthreads();
    const auto offer = [&](bool given, unsigned row) {
      Key keys[1] = {no_row};
      if (given)
        keys[0] = after.filter(make_key(
            distance_key<metric>(gathered_distance<metric>(p.rows, row, query, p.dimensions)), p.first_index + row));
      selection.offer(keys);
    };
    const auto scan_step = [&](unsigned step) {
      const unsigned first = step * passes::scan_tiles_per_step;
      for (unsigned tile = first; tile < min(first + passes::scan_tiles_per_step, tiles); ++tile) {
        const unsigned row = tile * tile_rows + threadIdx.x;
        offer(row < p.rows.count, row);
      }
    };
    // Rows that a filter allows wait until there is one for each thread.
    const auto scan_allowed = [&](unsigned step) {
      const unsigned row = step * step_rows + 4 * threadIdx.x;
      unsigned bits = row < p.rows.count ? filter.four(p.first_index + row, p.first_index + (p.rows.count - 1)) : 0;
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
    };
    // Steps of several tiles go around the groups, as in scan_select. Each thread looks whether one of those that come next is worth it.
    for (unsigned first = pair % undecided.groups; first < steps; first += undecided.groups * threads) {
      const unsigned ahead = first + undecided.groups * threadIdx.x, row = ahead * step_rows;
      const bool wants =
          ahead < steps &&
          filter.may_allow_any(p.first_index + row, p.first_index + min(row + (step_rows - 1), p.rows.count - 1));
      const unsigned lanes = __ballot_sync(0xFFFFFFFFu, wants);
      if (threadIdx.x % 32 == 0) wanted[threadIdx.x / 32] = lanes;
      __syncthreads();
      for (unsigned warp = 0; warp < threads / 32; ++warp)
        for (unsigned left = wanted[warp]; left != 0; left &= left - 1) {
          const unsigned step = first + undecided.groups * (32 * warp + __ffs(static_cast<int>(left)) - 1);
          if (p.filter_bits == 0)
            scan_step(step);
          else
            scan_allowed(step);
        }
      __syncthreads();
    }
    if (p.filter_bits != 0) offer(threadIdx.x < waiting, waiting_rows[threadIdx.x]);
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
