#include "kernels/chain.cuh"
#include "kernels/rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/normalize_rows.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::NormalizeRowsParameters;
using passes::Rows;

constexpr std::uint32_t magnitude_bits = 0x7FFFFFFFu;
constexpr std::uint32_t mantissa_bits = 0x007FFFFFu;

// A sum in two words: the second gathers what rounding takes from the first.
struct Sum {
  float high = 0;
  float low = 0;

  __device__ void add(float value) {
    const float sum = __fadd_rn(high, value);
    const float taken = __fsub_rn(sum, high);
    low = __fadd_rn(low, __fadd_rn(__fsub_rn(high, __fsub_rn(sum, taken)), __fsub_rn(value, taken)));
    high = sum;
  }
  __device__ float value() const { return __fadd_rn(high, low); }
};

__device__ __forceinline__ std::uint32_t field_of(std::uint32_t magnitude) { return max(magnitude >> 23, 1u); }

// x / 2^e, exactly.
__device__ __forceinline__ float scaled(std::uint32_t bits, std::uint32_t largest_field) {
  const std::uint32_t magnitude = bits & magnitude_bits;
  const std::uint32_t below = largest_field - field_of(magnitude);
  if (below > passes::negligible_exponents) return 0.0f;
  const std::uint32_t mantissa = (magnitude & mantissa_bits) | (magnitude > mantissa_bits ? mantissa_bits + 1 : 0);
  if (mantissa == 0) return 0.0f;
  const float value = __fmul_rn(__uint2float_rn(mantissa), __uint_as_float((127u - 23u - below) << 23));
  return (bits & ~magnitude_bits) != 0 ? -value : value;
}

template <bool centre>
__device__ __forceinline__ float centred(float y, float mean, float rest) {
  return centre ? __fsub_rn(__fsub_rn(y, mean), rest) : y;
}

// A row may be replaced in place, so that nothing may be read ahead of a write.
template <bool centre>
__device__ void normalize(const std::uint32_t* source, std::size_t source_stride, std::uint32_t* to, std::size_t stride,
                          std::uint32_t dimensions, float inverse_dimensions) {
  const auto write_all = [&](std::uint32_t bits) {
    for (std::uint32_t i = 0; i < dimensions; ++i) to[i * stride] = bits;
  };
  std::uint32_t largest = 0;
  bool equal = true;
  const std::uint32_t first = source[0];
#pragma unroll 8
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    const std::uint32_t bits = source[i * source_stride];
    largest = max(largest, bits & magnitude_bits);
    equal = equal && bits == first;
  }
  if (largest >= 0x7F800000u) return write_all(0x7FC00000u);
  if (largest == 0 || (centre && equal)) return write_all(0);

  const std::uint32_t field = field_of(largest);
  float mean = 0, rest = 0;
  if constexpr (centre) {
    Sum sum;
#pragma unroll 8
    for (std::uint32_t i = 0; i < dimensions; ++i) sum.add(scaled(source[i * source_stride], field));
    mean = __fmul_rn(sum.value(), inverse_dimensions);
    Sum rests;
#pragma unroll 8
    for (std::uint32_t i = 0; i < dimensions; ++i) rests.add(__fsub_rn(scaled(source[i * source_stride], field), mean));
    rest = __fmul_rn(rests.value(), inverse_dimensions);
  }
  Sum squares;
#pragma unroll 8
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    const float y = centred<centre>(scaled(source[i * source_stride], field), mean, rest);
    squares.add(__fmul_rn(y, y));
  }
  const float length = __fsqrt_rn(squares.value());
  if (length == 0.0f) return write_all(0);
  const float inverse = __frcp_rn(length);
  const auto normal = [&](std::uint32_t bits) {
    return __float_as_uint(__fmul_rn(centred<centre>(scaled(bits, field), mean, rest), inverse));
  };
  // Some are asked for at once, since none is read ahead of a write otherwise.
  constexpr unsigned together = 8;
  std::uint32_t i = 0;
  for (; i + together <= dimensions; i += together) {
    std::uint32_t bits[together];
#pragma unroll
    for (unsigned j = 0; j < together; ++j) bits[j] = source[(i + j) * source_stride];
#pragma unroll
    for (unsigned j = 0; j < together; ++j) to[(i + j) * stride] = normal(bits[j]);
  }
  for (; i < dimensions; ++i) to[i * stride] = normal(source[i * source_stride]);
}

__device__ __forceinline__ std::uint32_t* row_bits(const Rows& rows, std::uint32_t row) {
  return reinterpret_cast<std::uint32_t*>(const_cast<float*>(row_address(rows, row)));
}

template <bool centre>
__global__ void __launch_bounds__(1024) normalized(const Parameters p) {
  follow_previous_pass();
  for (std::uint64_t at = blockIdx.x * blockDim.x + threadIdx.x; at < p.written_rows; at += gridDim.x * blockDim.x) {
    const auto row = static_cast<std::uint32_t>(at);
    std::uint32_t* to = row_bits(p.destination, row);
    if (row < p.rows.count)
      normalize<centre>(row_bits(p.rows, row), p.rows.dimension_stride, to, p.destination.dimension_stride,
                        p.dimensions, __uint_as_float(p.inverse_dimensions));
    else
      for (std::uint32_t i = 0; i < p.dimensions; ++i) to[std::size_t{i} * p.destination.dimension_stride] = 0;
  }
}

}  // namespace

PROXEL_KERNEL(normalize_rows)(const Pass& pass) {
  return variant(pass.constants_as<passes::NormalizeRowsConstants>().centre != 0 ? normalized<true>
                                                                                 : normalized<false>);
}

}  // namespace proxel::cuda
