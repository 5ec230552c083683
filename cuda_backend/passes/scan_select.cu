// One pass over the rows per query. Bandwidth is the limit: each thread keeps
// eight 16-byte reads in flight, and a warp reads 512 contiguous bytes at once.

#include "kernels/canonical.cuh"
#include "kernels/chain.cuh"
#include "kernels/counted.cuh"
#include "kernels/decode.cuh"
#include "kernels/filter.cuh"
#include "kernels/merge.cuh"
#include "kernels/rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/scan_select.h"

namespace proxel::cuda {
namespace {

using passes::Rows;
using passes::scan_tiles_per_step;
using Parameters = passes::ScanSelectParameters;

constexpr unsigned threads = 128;
constexpr unsigned warps = threads / 32;
// Workgroups on one multiprocessor: 32 warps of at most 64 registers a thread.
constexpr unsigned resident = 8;
// Dimensions whose reads are in flight together.
constexpr unsigned unroll = 8;
// Dimensions of row-major data that are staged at once.
constexpr unsigned slice = 32;
static_assert(warps == scan_tiles_per_step && threads == tile_rows);

// Adds `unroll` dimensions of the rows that this thread has in `values`.
template <Metric metric, bool partial>
__device__ __forceinline__ void add_dimensions(float4& sum, const float* values, unsigned stride, const float* query,
                                               unsigned count) {
  float4 row[unroll];
  float coordinate[unroll];
#pragma unroll
  for (unsigned i = 0; i < unroll; ++i) {
    if (partial && i >= count) continue;
    row[i] = read_once(reinterpret_cast<const float4*>(values + std::size_t{i} * stride));
    coordinate[i] = __ldg(query + i);
  }
#pragma unroll
  for (unsigned i = 0; i < unroll; ++i) {
    if (partial && i >= count) continue;
    sum.x = step<metric>(sum.x, coordinate[i], row[i].x);
    sum.y = step<metric>(sum.y, coordinate[i], row[i].y);
    sum.z = step<metric>(sum.z, coordinate[i], row[i].z);
    sum.w = step<metric>(sum.w, coordinate[i], row[i].w);
  }
}

template <Metric metric>
__device__ __forceinline__ float4 four_distances(const float* values, unsigned stride, const float* query,
                                                 unsigned dimensions) {
  float4 sum = make_float4(0, 0, 0, 0);
  unsigned left = dimensions;
  for (; left >= unroll; left -= unroll) {
    add_dimensions<metric, false>(sum, values, stride, query, unroll);
    values += std::size_t{unroll} * stride;
    query += unroll;
  }
  if (left != 0) add_dimensions<metric, true>(sum, values, stride, query, left);
  return sum;
}

// The distance of one row, in any layout.
template <Metric metric>
__device__ __forceinline__ float distance_of(const Rows& rows, unsigned row, const float* query, unsigned dimensions) {
  const float* values = row_address(rows, row);
  float sum = 0;
#pragma unroll 8
  for (unsigned i = 0; i < dimensions; ++i)
    sum = step<metric>(sum, __ldg(query + i), read_once(values + std::size_t{i} * rows.dimension_stride));
  return sum;
}

// Each warp takes one of the step's tiles, each lane four of its rows.
template <Metric metric, typename Selection>
__device__ __forceinline__ void visit_vectors(const Parameters& p, const float* query, const After& after,
                                              const Filter& filter, Selection& selection) {
  const unsigned tiles = tile_count(p.rows);
  const unsigned lane = threadIdx.x % 32;
  // The last tile of a tiled database is whole; a column ends where its rows end.
  const bool padded = p.rows.tile_stride != tile_rows;
  for (unsigned first = blockIdx.x * warps; first < tiles; first += p.groups * warps) {
    const unsigned tile = first + threadIdx.x / 32;
    Key keys[4] = {no_row, no_row, no_row, no_row};
    if (tile < tiles) {
      const unsigned row = tile * tile_rows + 4 * lane;
      const unsigned left = row < p.rows.count ? p.rows.count - row : 0;
      const unsigned allowed = left == 0 ? 0 : filter.four(p.first_index + row, p.first_index + p.rows.count - 1);
      float distances[4] = {};
      if (allowed == 0) {
        // Four rows of which none may be returned are not read.
      } else if (padded || left >= 4) {
        const float* values = row_address(p.rows, row);
        // A stride known when compiling turns the addresses into offsets.
        const float4 sum = p.rows.dimension_stride == tile_rows
                               ? four_distances<metric>(values, tile_rows, query, p.dimensions)
                               : four_distances<metric>(values, p.rows.dimension_stride, query, p.dimensions);
        distances[0] = sum.x, distances[1] = sum.y, distances[2] = sum.z, distances[3] = sum.w;
      } else {
        // What would follow the last row of a column need not exist.
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
          if (i < left) distances[i] = distance_of<metric>(p.rows, row + i, query, p.dimensions);
      }
#pragma unroll
      for (unsigned i = 0; i < 4; ++i)
        if (i < left && (allowed >> i & 1u) != 0)
          keys[i] = after.filter(make_key(distance_key<metric>(distances[i]), p.first_index + row + i));
    }
    selection.offer(keys);
  }
}

// The distance of this thread's row where dimensions are neighbours in memory:
// each warp stages slices of its own 32 rows so that its reads are contiguous.
template <Metric metric>
__device__ __forceinline__ float staged_distance(const Rows& rows, unsigned tile, const float* query,
                                                 unsigned dimensions, float (*staged)[slice + 1]) {
  constexpr unsigned together = 16;
  const unsigned lane = threadIdx.x % 32;
  const unsigned first = threadIdx.x - lane;
  const float* values = row_address(rows, tile * tile_rows) + std::size_t{first} * rows.row_stride;
  const unsigned left = rows.count - tile * tile_rows;
  float sum = 0;
  for (unsigned dimension = 0; dimension < dimensions; dimension += slice) {
    const unsigned width = min(slice, dimensions - dimension);
    __syncwarp();  // the slice before has been used
    for (unsigned part = 0; part < 32; part += together) {
      float read[together];
#pragma unroll
      for (unsigned i = 0; i < together; ++i) {
        const unsigned row = part + i;
        read[i] = lane < width && first + row < left
                      ? read_once(values + std::size_t{row} * rows.row_stride + dimension + lane)
                      : 0.0f;
      }
#pragma unroll
      for (unsigned i = 0; i < together; ++i) staged[first + part + i][lane] = read[i];
    }
    __syncwarp();
#pragma unroll 8
    for (unsigned i = 0; i < width; ++i) sum = step<metric>(sum, __ldg(query + dimension + i), staged[threadIdx.x][i]);
  }
  return sum;
}

// The workgroup takes the step's tiles one after the other, each thread a row.
template <Metric metric, typename Selection>
__device__ __forceinline__ void visit_rows(const Parameters& p, const float* query, const After& after,
                                           const Filter& filter, Selection& selection) {
  __shared__ float staged[threads][slice + 1];
  const bool stage = p.rows.dimension_stride == 1 && p.rows.row_stride != 1;
  const unsigned tiles = tile_count(p.rows);
  for (unsigned first = blockIdx.x * warps; first < tiles; first += p.groups * warps)
    for (unsigned tile = first; tile < min(first + warps, tiles); ++tile) {
      const unsigned row = tile * tile_rows + threadIdx.x;
      const float distance = stage                ? staged_distance<metric>(p.rows, tile, query, p.dimensions, staged)
                             : row < p.rows.count ? distance_of<metric>(p.rows, row, query, p.dimensions)
                                                  : 0.0f;
      const Key keys[1] = {row < p.rows.count && filter.allows(p.first_index + row)
                               ? after.filter(make_key(distance_key<metric>(distance), p.first_index + row))
                               : no_row};
      selection.offer(keys);
    }
}

// List length 1.
struct Nearest {
  Key best = no_row;

  template <unsigned count>
  __device__ void offer(const Key (&keys)[count]) {
#pragma unroll
    for (unsigned i = 0; i < count; ++i) best = smaller(best, keys[i]);
  }
};

template <Metric metric, bool vectors, typename Selection>
__device__ __forceinline__ void visit(const Parameters& p, Selection& selection) {
  const unsigned query_index = blockIdx.y;
  const float* query = reinterpret_cast<const float*>(p.queries) + std::uint64_t{query_index} * p.query_stride;
  const After after(p.after, p.after_stride, query_index);
  const Filter filter(p.filter_bits, p.filter_stride, query_index);
  if constexpr (vectors)
    visit_vectors<metric>(p, query, after, filter, selection);
  else
    visit_rows<metric>(p, query, after, filter, selection);
}

__device__ __forceinline__ Key* lists_of_query(const Parameters& p) {
  return reinterpret_cast<Key*>(p.lists) + std::uint64_t{blockIdx.y} * p.groups * p.k;
}

// Whether this workgroup is the last of its query, which merges the query's lists.
__device__ __forceinline__ bool finishes_query(const Parameters& p) {
  return p.tickets != 0 && arrives_last(reinterpret_cast<unsigned*>(p.tickets) + blockIdx.y, p.groups);
}

template <Metric metric>
__device__ __forceinline__ void write_result(const Parameters& p, unsigned rank, Key key) {
  const std::uint64_t at = std::uint64_t{blockIdx.y} * p.k + rank;
  reinterpret_cast<std::uint32_t*>(p.indices)[at] = decoded_index(key);
  reinterpret_cast<float*>(p.distances)[at] = decoded_distance(key, metric == Metric::ip, p.finish);
}

template <Metric metric, bool vectors>
__global__ void __launch_bounds__(threads, resident) scan_nearest(const Parameters p) {
  follow_previous_pass();
  if (past_counted(p.counted, blockIdx.y)) return;
  __shared__ Key shared[warps];
  Nearest nearest;
  visit<metric, vectors>(p, nearest);
  Key best = workgroup_minimum(nearest.best, shared);
  if (threadIdx.x == 0) lists_of_query(p)[blockIdx.x] = best;
  if (!finishes_query(p)) return;
  best = merge_nearest(lists_of_query(p), p.groups, shared);
  if (threadIdx.x == 0) write_result<metric>(p, 0, best);
}

template <Metric metric, bool vectors>
__global__ void __launch_bounds__(threads, vectors ? resident : resident / 2)
    scan_lists(const Parameters p, const Launch launch) {
  follow_previous_pass();
  if (past_counted(p.counted, blockIdx.y)) return;
  extern __shared__ float4 shared[];
  BlockSelect selection(shared, launch.as<passes::ScanSelectConstants>().list_length, p.k);
  visit<metric, vectors>(p, selection);
  selection.write(lists_of_query(p) + std::uint64_t{blockIdx.x} * p.k);
  if (!finishes_query(p)) return;
  selection.restart();
  merge_ranks(lists_of_query(p), p.groups, p.k, selection);
  selection.finish();
  for (unsigned rank = threadIdx.x; rank < p.k; rank += threads) write_result<metric>(p, rank, selection[rank]);
}

}  // namespace

PROXEL_KERNEL(scan_select)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::ScanSelectConstants>();
  const std::uint32_t list_length = constants.list_length;
  const bool vectors = (constants.access & passes::scan_reads_fours) != 0;
  if (pass.workgroup_size != threads || !selectable(list_length, threads)) return {};
  return for_metric(constants.metric, [&](auto metric) {
    constexpr Metric chosen = decltype(metric)::value;
    if (list_length == 1) return variant(vectors ? scan_nearest<chosen, true> : scan_nearest<chosen, false>);
    return variant(vectors ? scan_lists<chosen, true> : scan_lists<chosen, false>, select_bytes(list_length, threads));
  });
}

}  // namespace proxel::cuda
