// A thread packs one row: its norms, residuals and halves; of split rows first the former. Sixteen pack a query, which all
// passes after wait for.

#include "kernels/chain.cuh"
#include "kernels/half_parts.cuh"
#include "kernels/query_team.cuh"
#include "kernels/rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_origin.h"
#include "proxel/passes/screen_pack.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenPackParameters;
constexpr unsigned threads = tile_rows;
constexpr unsigned warps = threads / 32;

struct Frame {
  float scale;
  const float* origin;  // null where coordinates are not shifted

  __device__ Frame(std::uint64_t address, bool shifted)
      : scale(*reinterpret_cast<const float*>(address)),
        origin(shifted ? reinterpret_cast<const float*>(address) + passes::screen_frame_origin : nullptr) {}
  __device__ float shift(float value, unsigned dimension) const {
    return origin ? __fsub_rn(value, __ldg(origin + dimension)) : value;
  }
};

// Sums of squares of one row, scaled: of what is packed, of what packing lost, of the low halves, or of plain halves by the
// weights of half_sum_weight(), and without the shift; of the row as it is, halved, compensated.
struct Sums {
  float packed = 0, lost = 0, low = 0, unshifted = 0;
  float half_norm = 0, compensation = 0;
  float largest = 0;  // in magnitude

  // What is not finite makes the compensated sum so.
  __device__ bool finite() const { return isfinite(2 * half_norm); }

  /// @param plain        scaled and not shifted
  /// @param high, second  what of x is packed; the latter 0 where one half is
  /// @param weight         of plain halves
  __device__ void add(float plain, float x, float high, float second, float weight) {
    largest = fmaxf(largest, fabsf(x));
    packed = __fmaf_rn(high, high, packed);
    low = __fmaf_rn(second, second, __fmaf_rn(weight * high, high, low));
    const float rest = __fsub_rn(__fsub_rn(x, high), second);
    lost = __fmaf_rn(rest, rest, lost);
    unshifted = __fmaf_rn(plain, plain, unshifted);
    const float term = __fmaf_rn(__fmul_rn(0.5f, x), x, -compensation);
    const float sum = __fadd_rn(half_norm, term);
    compensation = __fsub_rn(__fsub_rn(sum, half_norm), term);
    half_norm = sum;
  }

  // Brings those of a query's threads together.
  __device__ void combine(const QueryTeam& team) {
    packed = team.sum(packed);
    lost = team.sum(lost);
    low = team.sum(low);
    unshifted = team.sum(unshifted);
    half_norm = team.sum(half_norm);
    largest = team.largest(largest);
  }
};

// Upper bounds of norms, whatever the order of summation and the root's rounding.
struct Norms {
  float packed, lost, low, whole, unshifted;
  float weighted;  // of plain halves

  __device__ Norms(const Sums& sums, unsigned dimensions, bool split) {
    const float inflate = 1.0f + static_cast<float>(dimensions + 64) * 0x1p-22f;
    // Squares may have underflowed.
    const float underflow = static_cast<float>(dimensions) * 0x1p-125f;
    const auto norm = [&](float sum) { return sqrtf(sum + underflow) * inflate; };
    whole = norm(2 * sums.half_norm);
    low = split ? norm(sums.low) : 0.0f;
    weighted = norm(sums.low);
    // hi + lo is what is packed where both are.
    packed = norm(sums.packed) + low;
    lost = norm(sums.lost) + whole * 0x1.02p-24f;
    unshifted = norm(sums.unshifted);
  }
};

// Error of accumulating products and of the hardware's way to add them, relative.
__device__ __forceinline__ float accumulation(unsigned depth) {
  return 1.25f * static_cast<float>(depth + 2 * ((depth + 15) / 16) + 2) * 0x1p-23f;
}

// Error of a sum of 16 products in half precision, relative.
constexpr float half_sum_rounding = 1.25f * 0x1p-11f;
// How often the product of a dimension is rounded.
__device__ __forceinline__ float half_sum_weight(unsigned dimensions, unsigned dimension) {
  return static_cast<float>((dimensions + 15) / 16 - dimension / 16);
}

__device__ __forceinline__ float workgroup_maximum(float value, float* shared) {
  for (unsigned distance = 16; distance != 0; distance /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xFFFFFFFFu, value, distance));
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = shared[0];
  for (unsigned warp = 1; warp < warps; ++warp) value = fmaxf(value, shared[warp]);
  __syncthreads();
  return value;
}

__device__ __noinline__ bool has_nan(const Parameters& p, const float* values) {
  for (unsigned i = 0; i < p.dimensions; ++i)
    if (isnan(values[std::size_t{i} * p.rows.dimension_stride])) return true;
  return false;
}

// Where a row's halves go, eight at a time.
class PackedRow {
 public:
  __device__ PackedRow(const Parameters& p, unsigned tile, unsigned in_tile)
      : block_(reinterpret_cast<char*>(p.packed) + std::uint64_t{tile} * p.depth_blocks * passes::screen_block_bytes +
               128 * in_tile),
        in_tile_(in_tile) {}
  __device__ void write(unsigned chunk, const std::uint32_t (&words)[4]) const {
    *reinterpret_cast<uint4*>(block_ + chunk / 8 * passes::screen_block_bytes + 16 * (chunk % 8 ^ in_tile_ % 8)) =
        make_uint4(words[0], words[1], words[2], words[3]);
  }

 private:
  char* block_;
  unsigned in_tile_;
};

// Eight of all three products' halves of a row of few dimensions.
__device__ __forceinline__ void write_split(const Parameters& p, const Frame& frame, const float* values, bool usable,
                                            bool queries, unsigned chunk, const PackedRow& to) {
  std::uint32_t words[4] = {};
  if (usable)
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned position = 8 * chunk + i;
      if (position >= 3 * p.dimensions) break;
      const unsigned part = position / p.dimensions;
      const unsigned dimension = position - part * p.dimensions;
      const HalfParts parts(
          __fmul_rn(frame.scale, frame.shift(values[std::size_t{dimension} * p.rows.dimension_stride], dimension)));
      // hi, lo, hi for rows; hi, hi, lo for queries
      const bool low = part == (queries ? 2u : 1u);
      words[i / 2] |= std::uint32_t{low ? parts.low : parts.high} << 16 * (i % 2);
    }
  to.write(chunk, words);
}

// Adds a dimension of such a row.
__device__ __forceinline__ void sum_split(const Parameters& p, const Frame& frame, const float* values,
                                          unsigned dimension, Sums& sums) {
  const float value = values[std::size_t{dimension} * p.rows.dimension_stride];
  const float x = __fmul_rn(frame.scale, frame.shift(value, dimension));
  const HalfParts parts(x);
  sums.add(__fmul_rn(frame.scale, value), x, from_half(parts.high), from_half(parts.low), 0.0f);
}

// Eight dimensions of a row, from `first` on.
// @param whole  whether there are as many
template <bool whole>
__device__ __forceinline__ void sum_eight(const Parameters& p, const Frame& frame, const float* values,
                                          std::size_t stride, unsigned first, Sums& sums, std::uint32_t (&words)[4]) {
  const float weight = half_sum_weight(p.dimensions, first);
  float loaded[8];
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) loaded[i] = values[(whole ? i : min(i, p.dimensions - 1 - first)) * stride];
#pragma unroll
  for (unsigned i = 0; i < 8; i += 2) {
    float plain[2], x[2];
#pragma unroll
    for (unsigned j = 0; j < 2; ++j) {
      const unsigned dimension = first + i + j;
      const bool exists = whole || dimension < p.dimensions;
      plain[j] = exists ? __fmul_rn(frame.scale, loaded[i + j]) : 0.0f;
      x[j] = exists ? __fmul_rn(frame.scale, frame.shift(loaded[i + j], dimension)) : 0.0f;
    }
    words[i / 2] = to_halves(x[0], x[1]);
#pragma unroll
    for (unsigned j = 0; j < 2; ++j)
      sums.add(plain[j], x[j], from_half(static_cast<std::uint16_t>(words[i / 2] >> 16 * j)), 0.0f, weight);
  }
}

// Eight halves of a row, or as many as there are, of which it has the sums.
__device__ __forceinline__ void sum_chunk(const Parameters& p, const Frame& frame, const float* values,
                                          std::size_t stride, unsigned chunk, Sums& sums, std::uint32_t (&words)[4]) {
  const unsigned first = 8 * chunk;
  if (first + 8 <= p.dimensions)
    sum_eight<true>(p, frame, values + first * stride, stride, first, sums, words);
  else if (first < p.dimensions)
    sum_eight<false>(p, frame, values + first * stride, stride, first, sums, words);
}

// Sums the workgroup's rows up, and writes their halves meanwhile, so that they are read once. Halves go by way of shared
// memory, a block at a time: written eight by eight, lines leave the cache before all of them is there.
// @param stride  of dimensions
__device__ __forceinline__ void sum_and_write(const Parameters& p, const Frame& frame, const float* values,
                                              std::size_t stride, unsigned tile, Sums& sums) {
  constexpr unsigned chunks = passes::screen_block_depth / 8;
  __shared__ uint4 staged[tile_rows * chunks];
  auto* to = reinterpret_cast<uint4*>(p.packed) + std::uint64_t{tile} * p.depth_blocks * (tile_rows * chunks);
  for (unsigned block = 0; block < p.depth_blocks; ++block, to += tile_rows * chunks) {
    for (unsigned chunk = 0; chunk < chunks; ++chunk) {
      std::uint32_t words[4] = {};
      sum_chunk(p, frame, values, stride, chunks * block + chunk, sums, words);
      staged[threadIdx.x * chunks + (chunk ^ threadIdx.x % 8)] = make_uint4(words[0], words[1], words[2], words[3]);
    }
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < chunks; ++i) to[i * threads + threadIdx.x] = staged[i * threads + threadIdx.x];
    __syncthreads();
  }
}

template <bool split, bool ip, unsigned summed_in = passes::screen_sums_binary32>
__global__ void __launch_bounds__(threads) pack_queries(const Parameters p) {
  follow_previous_pass();
  zero_words(p);
  const QueryTeam team(p.first_tile);
  const unsigned query = team.query();
  const bool exists = query < p.rows.count;
  // Queries of ip are not shifted: the shift of the rows moves all scores alike.
  const Frame frame(p.frame, !ip);
  const float* values = row_address(p.rows, exists ? query : 0);
  const unsigned chunks = 8 * p.depth_blocks;
  const PackedRow packed(p, team.tile(), team.in_tile());
  Sums sums;
  if (exists && split) {
    for (unsigned i = team.lane(); i < p.dimensions; i += team.size) sum_split(p, frame, values, i, sums);
  } else if (exists) {
    for (unsigned chunk = team.lane(); chunk < chunks; chunk += team.size) {
      std::uint32_t words[4] = {};
      sum_chunk(p, frame, values, p.rows.dimension_stride, chunk, sums, words);
      packed.write(chunk, words);
    }
  }
  sums.combine(team);
  const bool usable = exists && sums.finite();
  for (unsigned chunk = team.lane(); chunk < chunks; chunk += team.size)
    if (split)
      write_split(p, frame, values, usable, true, chunk, packed);
    else if (!usable)
      packed.write(chunk, {});
  if (!exists || team.lane() != 0) return;

  const Norms norms(sums, p.dimensions, split);
  const float gamma = 1.01f * static_cast<float>(p.dimensions + 4) * 0x1p-24f;
  const float underflow = frame.scale * frame.scale * static_cast<float>(p.dimensions) * 0x1p-125f;
  const float rows_norm = reinterpret_cast<const float*>(p.frame)[1];
  // A sum that may overflow on its way to a canonical value bounds nothing. The norms are
  // those of scaled coordinates; canonical values are not scaled.
  const float limit = frame.scale * frame.scale * 0x1p126f;
  const bool certifiable =
      usable && sums.largest <= 65504.0f && isfinite(norms.unshifted) && (!ip || norms.unshifted * rows_norm < limit);
  auto* bounds = reinterpret_cast<float4*>(p.bounds) + 2 * std::uint64_t{query};
  float residual = norms.lost, third = norms.low;
  if (summed_in == passes::screen_sums_halves) third = norms.weighted;
  if (summed_in == passes::screen_sums_first_halves) {
    // Of a row the second halves are missed, and sums of |products| are no more than the norms' product.
    third = norms.packed;
    residual += 1.001f * half_sum_rounding * half_sum_weight(p.dimensions, 0) * norms.packed;
  }
  bounds[0] = make_float4(norms.packed, residual, third, certifiable ? 1.0f : 0.0f);
  bounds[1] = ip ? make_float4(0, 0, 2.02f * gamma * norms.unshifted * rows_norm + 2 * underflow, 0)
                 : make_float4(sums.half_norm * (1 + 0x1p-20f), 2.1f * gamma, underflow, 0);
}

template <bool split, bool ip>
__global__ void __launch_bounds__(threads) pack_rows(const Parameters p) {
  follow_previous_pass();
  __shared__ float shared[warps];
  const unsigned tile = p.first_tile + blockIdx.x;
  const unsigned row = tile * tile_rows + threadIdx.x;
  const bool exists = row < p.rows.count;
  const Frame frame(p.frame, true);
  const float* values = row_address(p.rows, exists ? row : 0);
  Sums sums;
  const PackedRow packed(p, tile, threadIdx.x);
  if constexpr (split) {
#pragma unroll 8
    for (unsigned i = 0; i < p.dimensions; ++i) sum_split(p, frame, values, i, sums);
  } else if (p.rows.dimension_stride == tile_rows) {
    sum_and_write(p, frame, values, tile_rows, tile, sums);
  } else {
    sum_and_write(p, frame, values, p.rows.dimension_stride, tile, sums);
  }
  const bool usable = exists && sums.finite();
  for (unsigned chunk = 0; chunk < p.depth_blocks * 8; ++chunk)
    if (split)
      write_split(p, frame, values, usable, false, chunk, packed);
    else if (!usable)
      packed.write(chunk, {});

  const Norms norms(sums, p.dimensions, split);
  const float kappa = accumulation(split ? 3 * p.dimensions : p.dimensions);
  reinterpret_cast<float*>(p.biases)[row] = !usable ? __int_as_float(0xFF800000) : ip ? 0.0f : -sums.half_norm;
  const float x = workgroup_maximum(usable ? norms.lost + kappa * norms.packed : 0, shared);
  const float y = workgroup_maximum(usable ? norms.whole : 0, shared);
  const float z = workgroup_maximum(usable ? (split ? norms.low : half_sum_rounding * norms.weighted) : 0, shared);
  // The last is for sums that are subnormal halves.
  const float w =
      workgroup_maximum(usable && !ip ? ((kappa + 0x1p-20f) * sums.half_norm + 0x1p-22f) * (1 + 0x1p-20f) : 0, shared);
  // A row that is not screened may yet have the largest ip, unless that is NaN.
  const float unscreened = exists && !usable && !has_nan(p, values) ? __int_as_float(0x7F800000) : 0.0f;
  const float largest = workgroup_maximum(usable ? norms.unshifted : unscreened, shared);
  if (threadIdx.x != 0) return;
  reinterpret_cast<float4*>(p.bounds)[tile] = make_float4(x, y, z, w);
  atomicMax(reinterpret_cast<unsigned*>(p.frame) + 1, __float_as_uint(largest));
}

template <bool split, bool ip>
Kernel choose(bool queries) {
  return queries ? variant(pack_queries<split, ip>) : variant(pack_rows<split, ip>);
}

}  // namespace

PROXEL_KERNEL(screen_pack)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::ScreenPackConstants>();
  if (pass.workgroup_size != threads) return {};
  const bool queries = constants.queries != 0, ip = constants.metric == Metric::ip;
  if (constants.sums != passes::screen_sums_binary32) {
    if (!queries || ip || constants.split != 0) return {};
    return constants.sums == passes::screen_sums_halves
               ? variant(pack_queries<false, false, passes::screen_sums_halves>)
               : variant(pack_queries<false, false, passes::screen_sums_first_halves>);
  }
  if (constants.split != 0) return ip ? choose<true, true>(queries) : choose<true, false>(queries);
  return ip ? choose<false, true>(queries) : choose<false, false>(queries);
}

}  // namespace proxel::cuda
