// A thread packs one row: first its norms and residuals, then its halves.

#include "kernels/chain.cuh"
#include "kernels/half_parts.cuh"
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

// Sums of squares of one row, scaled: of what is packed, of what packing lost, of
// the low halves, of the row as it is, and without the shift.
struct Sums {
  float packed = 0, lost = 0, low = 0, whole = 0, unshifted = 0;
  float half_norm = 0, compensation = 0;  // of the row as it is, halved, compensated
  bool finite = true, in_range = true, nan = false;

  /// Returns the halves of the scaled value.
  __device__ HalfParts add(float value, float shifted, float scale, bool split) {
    finite = finite && isfinite(value);
    nan = nan || isnan(value);
    const float x = __fmul_rn(scale, shifted);
    in_range = in_range && fabsf(x) <= 65504.0f;
    const HalfParts parts(x);
    const float high = from_half(parts.high);
    float rest = __fsub_rn(x, high);
    packed = __fadd_rn(packed, __fmul_rn(high, high));
    if (split) {
      const float second = from_half(parts.low);
      low = __fadd_rn(low, __fmul_rn(second, second));
      rest = __fsub_rn(rest, second);
    }
    lost = __fadd_rn(lost, __fmul_rn(rest, rest));
    const float square = __fmul_rn(x, x);
    whole = __fadd_rn(whole, square);
    const float term = __fsub_rn(__fmul_rn(0.5f, square), compensation);
    const float sum = __fadd_rn(half_norm, term);
    compensation = __fsub_rn(__fsub_rn(sum, half_norm), term);
    half_norm = sum;
    const float plain = __fmul_rn(scale, value);
    unshifted = __fadd_rn(unshifted, __fmul_rn(plain, plain));
    return parts;
  }
};

// Upper bounds of norms, whatever the order of summation and the root's rounding.
struct Norms {
  float packed, lost, low, whole, unshifted;

  __device__ Norms(const Sums& sums, unsigned dimensions, bool split) {
    const float inflate = 1.0f + static_cast<float>(dimensions + 64) * 0x1p-22f;
    // Squares may have underflowed.
    const float underflow = static_cast<float>(dimensions) * 0x1p-125f;
    const auto norm = [&](float sum) { return sqrtf(sum + underflow) * inflate; };
    whole = norm(sums.whole);
    low = split ? norm(sums.low) : 0.0f;
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

// Where a row's halves go, eight at a time.
class PackedRow {
 public:
  __device__ PackedRow(const Parameters& p, unsigned tile)
      : block_(reinterpret_cast<char*>(p.packed) + std::uint64_t{tile} * p.depth_blocks * passes::screen_block_bytes +
               128 * threadIdx.x) {}
  __device__ void write(unsigned chunk, const std::uint32_t (&words)[4]) const {
    *reinterpret_cast<uint4*>(block_ + chunk / 8 * passes::screen_block_bytes + 16 * (chunk % 8 ^ threadIdx.x % 8)) =
        make_uint4(words[0], words[1], words[2], words[3]);
  }

 private:
  char* block_;
};

// All three products' halves of a row of few dimensions.
__device__ __forceinline__ void write_split(const Parameters& p, const Frame& frame, const float* values, bool usable,
                                            bool queries, const PackedRow& to) {
  for (unsigned chunk = 0; chunk < p.depth_blocks * 8; ++chunk) {
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
}

// Sums a row up, and writes its halves meanwhile, so that it is read once.
__device__ __forceinline__ void sum_and_write(const Parameters& p, const Frame& frame, const float* values, bool exists,
                                              const PackedRow& to, Sums& sums) {
  for (unsigned chunk = 0; chunk < p.depth_blocks * 8; ++chunk) {
    float loaded[8];
#pragma unroll
    for (unsigned i = 0; i < 8; ++i)
      loaded[i] = values[std::size_t{min(8 * chunk + i, p.dimensions - 1)} * p.rows.dimension_stride];
    std::uint32_t words[4] = {};
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned dimension = 8 * chunk + i;
      if (!exists || dimension >= p.dimensions) continue;
      const HalfParts parts = sums.add(loaded[i], frame.shift(loaded[i], dimension), frame.scale, false);
      words[i / 2] |= std::uint32_t{parts.high} << 16 * (i % 2);
    }
    to.write(chunk, words);
  }
}

template <bool queries, bool split, bool ip>
__global__ void __launch_bounds__(threads) pack(const Parameters p) {
  follow_previous_pass();
  __shared__ float shared[warps];
  const unsigned tile = p.first_tile + blockIdx.x;
  const unsigned row = tile * tile_rows + threadIdx.x;
  const bool exists = row < p.rows.count;
  // Queries of ip are not shifted: the shift of the rows moves all scores alike.
  const Frame frame(p.frame, !(queries && ip));
  const float* values = row_address(p.rows, exists ? row : 0);
  Sums sums;
  const PackedRow packed(p, tile);
  if constexpr (!split) {
    sum_and_write(p, frame, values, exists, packed, sums);
  } else if (exists) {
#pragma unroll 8
    for (unsigned i = 0; i < p.dimensions; ++i) {
      const float value = values[std::size_t{i} * p.rows.dimension_stride];
      sums.add(value, frame.shift(value, i), frame.scale, split);
    }
  }
  const bool usable = exists && sums.finite && isfinite(sums.half_norm) && isfinite(sums.whole);
  if constexpr (split)
    write_split(p, frame, values, usable, queries, packed);
  else if (exists && !usable)
    for (unsigned chunk = 0; chunk < p.depth_blocks * 8; ++chunk) packed.write(chunk, {});

  const Norms norms(sums, p.dimensions, split);
  const float kappa = accumulation(split ? 3 * p.dimensions : p.dimensions);
  if constexpr (queries) {
    if (!exists) return;
    const float gamma = 1.01f * static_cast<float>(p.dimensions + 4) * 0x1p-24f;
    const float underflow = frame.scale * frame.scale * static_cast<float>(p.dimensions) * 0x1p-125f;
    const float rows_norm = reinterpret_cast<const float*>(p.frame)[1];
    // A sum that may overflow on its way to a canonical value bounds nothing. The norms are
    // those of scaled coordinates; canonical values are not scaled.
    const float limit = frame.scale * frame.scale * 0x1p126f;
    const bool certifiable =
        usable && sums.in_range && isfinite(norms.unshifted) && (!ip || norms.unshifted * rows_norm < limit);
    auto* bounds = reinterpret_cast<float4*>(p.bounds) + 2 * std::uint64_t{row};
    bounds[0] = make_float4(norms.packed, norms.lost, norms.low, certifiable ? 1.0f : 0.0f);
    bounds[1] = ip ? make_float4(0, 0, 2.02f * gamma * norms.unshifted * rows_norm + 2 * underflow, 0)
                   : make_float4(sums.half_norm * (1 + 0x1p-20f), 2.1f * gamma, underflow, 0);
  } else {
    reinterpret_cast<float*>(p.biases)[row] = !usable ? __int_as_float(0xFF800000) : ip ? 0.0f : -sums.half_norm;
    const float x = workgroup_maximum(usable ? norms.lost + kappa * norms.packed : 0, shared);
    const float y = workgroup_maximum(usable ? norms.whole : 0, shared);
    const float z = workgroup_maximum(usable ? norms.low : 0, shared);
    const float w = workgroup_maximum(usable && !ip ? (kappa + 0x1p-20f) * (1 + 0x1p-20f) * sums.half_norm : 0, shared);
    // A row that is not screened may yet have the largest ip, unless that is NaN.
    const float unscreened = exists && !sums.nan ? __int_as_float(0x7F800000) : 0.0f;
    const float largest = workgroup_maximum(usable ? norms.unshifted : unscreened, shared);
    if (threadIdx.x != 0) return;
    reinterpret_cast<float4*>(p.bounds)[tile] = make_float4(x, y, z, w);
    atomicMax(reinterpret_cast<unsigned*>(p.frame) + 1, __float_as_uint(largest));
  }
}

template <bool queries, bool split>
Kernel choose(Metric metric) {
  return metric == Metric::ip ? variant(pack<queries, split, true>) : variant(pack<queries, split, false>);
}

}  // namespace

PROXEL_KERNEL(screen_pack)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::ScreenPackConstants>();
  if (pass.workgroup_size != threads) return {};
  if (constants.queries != 0)
    return constants.split != 0 ? choose<true, true>(constants.metric) : choose<true, false>(constants.metric);
  return constants.split != 0 ? choose<false, true>(constants.metric) : choose<false, false>(constants.metric);
}

}  // namespace proxel::cuda
