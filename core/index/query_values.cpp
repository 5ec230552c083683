#include "index/query_values.hpp"

#include <algorithm>
#include <cstdint>

namespace proxel {
namespace {

// Queries that are looked at: where one in a hundred is another, one of these is.
constexpr std::uint64_t most_samples = 1024;

// Ranges that values may lie in, one bit each.
constexpr unsigned signed_bytes = 1, unsigned_bytes = 2;

// Without a branch, so that several values are looked at by one instruction. Of NaN every comparison is false.
unsigned ranges_of(const float* values, std::uint64_t count, std::uint64_t stride) {
  bool integers = true, is_signed = true, is_unsigned = true;
  for (std::uint64_t i = 0; i < count; ++i) {
    const float value = values[i * stride];
    const bool convertible = value >= -128 && value <= 255;
    const auto integer = static_cast<float>(static_cast<std::int32_t>(convertible ? value : 0.5f));
    integers &= integer == value;
    is_signed &= value <= 127;
    is_unsigned &= value >= 0;
  }
  return integers ? (is_signed ? signed_bytes : 0) | (is_unsigned ? unsigned_bytes : 0) : 0;
}

}  // namespace

QueryValues index::values_of(const MatrixView<float>& queries) {
  const std::uint64_t samples = std::min(queries.rows, most_samples);
  unsigned ranges = signed_bytes | unsigned_bytes;
  for (std::uint64_t sample = 0; sample < samples && ranges != 0; ++sample) {
    // Somewhere among its share of the queries, so that no period of theirs is met.
    const std::uint64_t first = sample * queries.rows / samples, behind = (sample + 1) * queries.rows / samples;
    const std::uint64_t row = first + (sample * 0x9E3779B97F4A7C15u >> 32) % (behind - first);
    ranges &= ranges_of(queries.data + row * queries.row_stride, queries.columns, queries.column_stride);
  }
  switch (ranges) {
    case signed_bytes:
      return QueryValues::int8;
    case unsigned_bytes:
      return QueryValues::uint8;
    case 0:
      return QueryValues::any;
    default:
      return QueryValues::either;
  }
}

}  // namespace proxel
