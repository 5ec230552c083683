#include <algorithm>
#include <bit>
#include <cmath>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/normalize_rows.h"

namespace proxel {
namespace {

using passes::at;

constexpr std::uint32_t magnitude_bits = 0x7FFFFFFFu;
constexpr std::uint32_t infinity_bits = 0x7F800000u;
constexpr std::uint32_t mantissa_bits = 0x007FFFFFu;

// A sum in two words: the second gathers what rounding takes from the first.
struct Sum {
  float high = 0;
  float low = 0;

  void add(float value) {
    const float sum = high + value;
    const float taken = sum - high;
    low = low + ((high - (sum - taken)) + (value - taken));
    high = sum;
  }
  float value() const { return high + low; }
};

std::uint32_t field_of(std::uint32_t magnitude) { return std::max(magnitude >> 23, 1u); }

// x / 2^e, exactly, whatever the host does with subnormals.
float scaled(std::uint32_t bits, std::uint32_t largest_field) {
  const std::uint32_t magnitude = bits & magnitude_bits;
  const std::uint32_t below = largest_field - field_of(magnitude);
  if (below > passes::negligible_exponents) return 0;
  const std::uint32_t mantissa = (magnitude & mantissa_bits) | (magnitude > mantissa_bits ? mantissa_bits + 1 : 0);
  if (mantissa == 0) return 0;
  const float value = static_cast<float>(mantissa) * std::bit_cast<float>((127u - 23u - below) << 23);
  return (bits & ~magnitude_bits) != 0 ? -value : value;
}

// One row, read dimension by dimension through `bits` and written through `write`.
template <typename Bits, typename Write>
void normalize(std::uint32_t dimensions, float inverse_dimensions, bool centre, const Bits& bits, const Write& write) {
  const auto write_all = [&](float value) {
    for (std::uint32_t i = 0; i < dimensions; ++i) write(i, value);
  };
  std::uint32_t largest = 0;
  bool equal = true;
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    largest = std::max(largest, bits(i) & magnitude_bits);
    equal = equal && bits(i) == bits(0);
  }
  if (largest >= infinity_bits) return write_all(std::bit_cast<float>(0x7FC00000u));
  if (largest == 0 || (centre && equal)) return write_all(0);

  const std::uint32_t field = field_of(largest);
  float mean = 0, rest = 0;
  if (centre) {
    Sum sum;
    for (std::uint32_t i = 0; i < dimensions; ++i) sum.add(scaled(bits(i), field));
    mean = sum.value() * inverse_dimensions;
    Sum rests;
    for (std::uint32_t i = 0; i < dimensions; ++i) rests.add(scaled(bits(i), field) - mean);
    rest = rests.value() * inverse_dimensions;
  }
  const auto value = [&](std::uint32_t i) {
    const float y = scaled(bits(i), field);
    return centre ? (y - mean) - rest : y;
  };
  Sum squares;
  for (std::uint32_t i = 0; i < dimensions; ++i) squares.add(value(i) * value(i));
  const float length = std::sqrt(squares.value());
  if (length == 0) return write_all(0);
  const float inverse = 1.0f / length;
  for (std::uint32_t i = 0; i < dimensions; ++i) write(i, value(i) * inverse);
}

}  // namespace

Pass passes::make_normalize_rows(const Rows& from, const Rows& to, std::uint32_t dimensions, bool centre) {
  NormalizeRowsParameters parameters{};
  parameters.rows = from;
  parameters.destination = to;
  parameters.dimensions = dimensions;
  parameters.inverse_dimensions = std::bit_cast<std::uint32_t>(1.0f / static_cast<float>(dimensions));
  // The last tile of a tiled database is whole.
  const bool tiles = to.row_stride == 1 && to.tile_stride != tile_rows;
  parameters.written_rows = tiles ? static_cast<std::uint32_t>(std::min<std::uint64_t>(
                                        divide_up(from.count, tile_rows) * tile_rows, UINT32_MAX))
                                  : from.count;
  return make_pass(normalize_rows, parameters, {.centre = centre},
                   {strided_groups(divide_up(parameters.written_rows, common_workgroup)), 1, 1}, common_workgroup);
}

PROXEL_THREADED_PASS(normalize_rows)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<NormalizeRowsParameters>();
  const bool centre = pass.constants_as<NormalizeRowsConstants>().centre != 0;
  for (std::uint64_t row = 0; row < parameters.written_rows; ++row) {
    const auto write = [&](std::uint32_t i, float value) { *value_address(parameters.destination, row, i) = value; };
    if (row >= parameters.rows.count) {
      for (std::uint32_t i = 0; i < parameters.dimensions; ++i) write(i, 0);
      continue;
    }
    normalize(parameters.dimensions, std::bit_cast<float>(parameters.inverse_dimensions), centre, [&](std::uint32_t i) {
      return std::bit_cast<std::uint32_t>(*value_address(parameters.rows, row, i));
    }, write);
  }
}

}  // namespace proxel
