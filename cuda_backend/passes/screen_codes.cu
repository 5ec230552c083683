// A thread encodes one row; sixteen encode a query, which all passes after wait for.

#include "kernels/chain.cuh"
#include "kernels/query_team.cuh"
#include "kernels/rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_codes.h"
#include "proxel/passes/screen_origin.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenCodesParameters;
constexpr unsigned threads = tile_rows;
constexpr unsigned warps = threads / 32;
constexpr float most_code = passes::screen_most_code;
// Error of a sum of codes when it becomes a score, relative.
constexpr float kappa = 0x1p-21f;

template <Metric metric>
constexpr bool is_product = metric == Metric::l2sq || metric == Metric::ip;

// What a norm of the metric adds up.
template <Metric metric>
__device__ __forceinline__ void accumulate(float& sum, float value) {
  if constexpr (metric == Metric::linf)
    sum = fmaxf(sum, fabsf(value));
  else
    sum = __fadd_rn(sum, metric == Metric::l1 ? fabsf(value) : __fmul_rn(value, value));
}

// Sums of one row, scaled: of its codes, of what they miss, of the row as it is, and without the shift.
template <Metric metric>
struct Sums {
  float coded = 0, lost = 0, whole = 0, unshifted = 0;
  float half_norm = 0, compensation = 0;  // of the row as it is, halved, compensated
  bool finite = true, nan = false;

  __device__ int add(float value, float x, float scale, float step, float per_step) {
    finite = finite && isfinite(x);
    nan = nan || isnan(value);
    const float code = fminf(fmaxf(rintf(x * per_step), -most_code), most_code);
    const float stands_for = __fmul_rn(code, step);
    accumulate<metric>(coded, stands_for);
    accumulate<metric>(lost, __fsub_rn(x, stands_for));
    accumulate<metric>(whole, x);
    const float square = __fmul_rn(x, x);
    const float term = __fsub_rn(__fmul_rn(0.5f, square), compensation);
    const float sum = __fadd_rn(half_norm, term);
    compensation = __fsub_rn(__fsub_rn(sum, half_norm), term);
    half_norm = sum;
    const float plain = __fmul_rn(scale, value);
    unshifted = __fadd_rn(unshifted, __fmul_rn(plain, plain));
    return static_cast<int>(code);
  }

  // Brings those of a query's threads together.
  __device__ void combine(const QueryTeam& team) {
    const auto all = [&](float value) { return metric == Metric::linf ? team.largest(value) : team.sum(value); };
    coded = all(coded);
    lost = all(lost);
    whole = all(whole);
    unshifted = team.sum(unshifted);
    half_norm = team.sum(half_norm);
    finite = team.all(finite);
  }
};

// Upper bounds of norms, whatever the order of summation and the root's rounding.
template <Metric metric>
struct Norms {
  float coded, lost, whole, unshifted;

  __device__ Norms(const Sums<metric>& sums, unsigned dimensions) {
    const float inflate = 1.0f + static_cast<float>(dimensions + 64) * 0x1p-22f;
    // What is added may have underflowed.
    const float underflow = static_cast<float>(dimensions) * 0x1p-125f;
    const auto norm = [&](float sum) {
      return (is_product<metric> ? sqrtf(sum + underflow) : sum + underflow) * inflate;
    };
    whole = norm(sums.whole);
    coded = norm(sums.coded);
    lost = norm(sums.lost) + whole * 0x1p-22f;
    unshifted = sqrtf(sums.unshifted + underflow) * inflate;
  }
};

__device__ __forceinline__ float largest_of_workgroup(float value, float* shared) {
  for (unsigned distance = 16; distance != 0; distance /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xFFFFFFFFu, value, distance));
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = shared[0];
  for (unsigned warp = 1; warp < warps; ++warp) value = fmaxf(value, shared[warp]);
  __syncthreads();
  return value;
}

// A row or query and the frame that it is encoded in.
template <Metric metric, bool shifted>
struct Encoded {
  float scale, row_step;
  const float* origin;
  const float* values;
  std::size_t stride;

  __device__ Encoded(const Parameters& p, unsigned row)
      : scale(frame_of(p)[0]),
        row_step(frame_of(p)[passes::screen_frame_step] *
                 (metric == Metric::linf ? passes::screen_linf_quarters * 0.25f : 1.0f)),
        origin(frame_of(p) + passes::screen_frame_origin),
        values(row_address(p.rows, row)),
        stride(p.rows.dimension_stride) {}

  static __device__ float* frame_of(const Parameters& p) { return reinterpret_cast<float*>(p.frame); }
  __device__ float value(unsigned dimension) const { return __ldg(values + dimension * stride); }
  __device__ float in_frame(float value, unsigned dimension) const {
    return __fmul_rn(scale, shifted ? __fsub_rn(value, __ldg(origin + dimension)) : value);
  }
  // Four codes.
  __device__ __forceinline__ std::uint32_t word(unsigned word, unsigned dimensions, float step, float per_step,
                                                Sums<metric>& sums) const {
    std::uint32_t bytes = 0;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned dimension = 4 * word + i;
      if (dimension >= dimensions) break;
      const float own = value(dimension);
      const int code = sums.add(own, in_frame(own, dimension), scale, step, per_step) + (is_product<metric> ? 0 : 128);
      bytes |= (static_cast<std::uint32_t>(code) & 0xFFu) << 8 * i;
    }
    return bytes;
  }
};

template <Metric metric>
__device__ bool usable(const Sums<metric>& sums) {
  return sums.finite && (!is_product<metric> || isfinite(2 * sums.half_norm)) && isfinite(sums.whole);
}

template <Metric metric>
__global__ void __launch_bounds__(threads) encode_queries(const Parameters p) {
  follow_previous_pass();
  zero_words(p);
  constexpr bool products = is_product<metric>;
  const QueryTeam team(p.first_tile);
  const unsigned query = team.query();
  if (query >= p.rows.count) return;
  // Queries of ip are not shifted: the shift of the rows moves all scores alike.
  const Encoded<metric, metric != Metric::ip> encoded(p, query);
  float step = encoded.row_step;
  if constexpr (products) {
    float largest = 0;
    for (unsigned i = team.lane(); i < p.dimensions; i += team.size)
      largest = fmaxf(largest, fabsf(encoded.in_frame(encoded.value(i), i)));
    largest = team.largest(largest);
    if (largest > 0) step = fmaxf(largest / most_code, 0x1p-100f);
  }
  Sums<metric> sums;
  auto* words = reinterpret_cast<std::uint32_t*>(p.codes) + std::uint64_t{query} * p.words;
  for (unsigned word = team.lane(); word < p.words; word += team.size)
    words[word] = encoded.word(word, p.dimensions, step, 1 / step, sums);
  sums.combine(team);
  if (team.lane() != 0) return;

  const Norms<metric> norms(sums, p.dimensions);
  const float scale = encoded.scale;
  const float gamma = 1.01f * static_cast<float>(p.dimensions + 4) * 0x1p-24f;
  const float canonical_scale = products ? scale * scale : scale;
  const float underflow = canonical_scale * static_cast<float>(p.dimensions) * 0x1p-125f + 0x1p-120f;
  const float rows_norm = encoded.frame_of(p)[1];
  // A sum that may overflow on its way to a canonical value bounds nothing. The norms are
  // those of scaled coordinates; canonical values are not scaled.
  // Scores of longer queries may overflow, or rows that are not screened be nearer than what certifies.
  const bool certifiable = usable(sums) && (products ? norms.coded < 0x1p62f : norms.whole < 0x1p126f) &&
                           (metric != Metric::ip || norms.unshifted * rows_norm < canonical_scale * 0x1p126f);
  auto* bounds = reinterpret_cast<float4*>(p.bounds) + 2 * std::uint64_t{query};
  const float factor = products ? step * encoded.row_step : -encoded.row_step;
  bounds[0] = make_float4(products ? norms.coded : 1.0f, products ? norms.lost : norms.lost + kappa * norms.coded,
                          factor, certifiable ? 1.0f : 0.0f);
  bounds[1] = metric == Metric::ip
                  ? make_float4(0, 0, 2.02f * gamma * norms.unshifted * rows_norm + 2.02f * underflow, 0)
                  : make_float4(products ? sums.half_norm * (1 + 0x1p-20f) : 0, 2.1f * gamma * (1 + 0x1p-20f),
                                underflow * (1 + 0x1p-20f), 0);
}

template <Metric metric>
__global__ void __launch_bounds__(threads) encode_rows(const Parameters p) {
  follow_previous_pass();
  __shared__ float shared[warps];
  constexpr bool products = is_product<metric>;
  const unsigned tile = p.first_tile + blockIdx.x;
  const unsigned row = tile * tile_rows + threadIdx.x;
  const bool exists = row < p.rows.count;
  const Encoded<metric, true> encoded(p, exists ? row : 0);
  const float per_step = 1 / encoded.row_step;

  Sums<metric> sums;
  auto* words = reinterpret_cast<std::uint32_t*>(p.codes) + std::uint64_t{tile} * p.words * tile_rows + threadIdx.x;
#pragma unroll 4
  for (unsigned word = 0; word < p.words; ++word)
    words[std::size_t{word} * tile_rows] =
        exists ? encoded.word(word, p.dimensions, encoded.row_step, per_step, sums) : 0;
  const bool screened = exists && usable(sums);

  const Norms<metric> norms(sums, p.dimensions);
  const float bias = metric == Metric::l2sq ? -sums.half_norm : 0.0f;
  reinterpret_cast<float*>(p.biases)[row] = screened ? bias : __int_as_float(0xFF800000);
  // By products what codes miss is at most twice a norm whose square is finite, also where its own square is not.
  const float most = products ? 0x1p66f : 3.40282347e+38f;
  const float missed = fminf((norms.lost + kappa * norms.coded) * (1 + 0x1p-20f), most);
  const float x = largest_of_workgroup(screened ? missed : 0, shared);
  const float y = largest_of_workgroup(screened ? (products ? norms.whole : 1.0f) : 0, shared);
  const float w = largest_of_workgroup(screened ? (kappa + 0x1p-20f) * (1 + 0x1p-20f) * -bias : 0, shared);
  // A row that is not screened may yet have the largest ip, unless that is NaN.
  const float unscreened = exists && !sums.nan ? __int_as_float(0x7F800000) : 0.0f;
  const float largest = largest_of_workgroup(screened ? norms.unshifted : unscreened, shared);
  if (threadIdx.x != 0) return;
  reinterpret_cast<float4*>(p.bounds)[tile] = make_float4(x, y, 0, w);
  atomicMax(reinterpret_cast<unsigned*>(p.frame) + 1, __float_as_uint(largest));
}

}  // namespace

PROXEL_KERNEL(screen_codes)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::ScreenCodesConstants>();
  if (pass.workgroup_size != threads) return {};
  return for_metric(constants.metric, [&](auto metric) {
    constexpr Metric chosen = decltype(metric)::value;
    return constants.queries != 0 ? variant(encode_queries<chosen>) : variant(encode_rows<chosen>);
  });
}

}  // namespace proxel::cuda
