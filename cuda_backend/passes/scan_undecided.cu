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
static_assert(threads == tile_rows);

template <Metric metric>
__global__ void __launch_bounds__(threads) scan(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ float4 shared[];
  const Undecided undecided(p);
  const unsigned tiles = tile_count(p.rows);
  const bool in_rounds = p.k < p.result_stride;
  auto* last_keys = reinterpret_cast<Key*>(p.found);
  const unsigned pairs = undecided.count * undecided.groups;
  for (unsigned pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
    const unsigned served = pair / undecided.groups, number = undecided.query(served);
    const float* query = reinterpret_cast<const float*>(p.queries) + std::uint64_t{number} * p.dimensions;
    const After after(p.first_rank == 0 ? 0 : p.found, 1, served);
    const Filter filter(p.filter_bits, p.filter_stride, number);
    __syncthreads();  // what was found before has been written
    BlockSelect selection(shared, launch.as<passes::ScanUndecidedConstants>().list_length, p.k);
    __syncthreads();
    // Steps of several tiles go around the groups, as in scan_select.
    for (unsigned i = 0;; ++i) {
      const unsigned step = i / passes::scan_tiles_per_step * undecided.groups + pair % undecided.groups;
      const std::uint64_t tile = std::uint64_t{step} * passes::scan_tiles_per_step + i % passes::scan_tiles_per_step;
      if (tile >= tiles) {
        if (i % passes::scan_tiles_per_step == 0) break;
        continue;
      }
      const unsigned row = static_cast<unsigned>(tile) * tile_rows + threadIdx.x;
      Key keys[1] = {no_row};
      if (row < p.rows.count && filter.allows(p.first_index + row))
        keys[0] = after.filter(make_key(
            distance_key<metric>(gathered_distance<metric>(p.rows, row, query, p.dimensions)), p.first_index + row));
      selection.offer(keys);
    }
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
