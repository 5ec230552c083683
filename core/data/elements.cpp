#include "data/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "data/load.hpp"
#include "proxel/error.hpp"

namespace proxel::data {
namespace {

struct Half {
  std::uint16_t bits;
};

float to_float(Half half) {
  const int exponent = (half.bits >> 10) & 31;
  const int fraction = half.bits & 1023;
  const float sign = (half.bits & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : std::copysign(NAN, sign);
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
}

// A double rounds from here on to infinity: the largest float and half a unit.
constexpr double beyond_float = 0x1.ffffffp+127;

template <typename Stored>
bool fit(Stored value, float& out) {
  if constexpr (std::is_same_v<Stored, Half>) {
    out = to_float(value);
  } else {
    if constexpr (std::is_same_v<Stored, double>)
      if (std::isfinite(value) && std::abs(value) >= beyond_float) return false;
    out = static_cast<float>(value);
  }
  return true;
}

template <typename Stored>
bool fit(Stored value, std::int32_t& out) {
  if constexpr (std::is_integral_v<Stored>) {
    if constexpr (sizeof(Stored) == 8) {
      if constexpr (std::is_signed_v<Stored>)
        if (value < INT32_MIN) return false;
      if (value > Stored{UINT32_MAX}) return false;
    }
    out = static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
    return true;
  } else {
    return false;
  }
}

template <typename Stored, typename T>
std::optional<Misfit> convert_as(bool big_endian, const std::byte* stored, std::uint64_t count, T* out,
                                 std::uint64_t stride) {
  if constexpr (std::is_same_v<Stored, T>) {
    if (stride == 1 && big_endian == (std::endian::native == std::endian::big)) {
      if (count != 0) std::memcpy(out, stored, count * sizeof(T));
      return std::nullopt;
    }
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const Stored value = load<Stored>(stored + i * sizeof(Stored), big_endian);
    if (fit(value, out[i * stride])) continue;
    if constexpr (std::is_same_v<Stored, Half>)
      return Misfit{i, "a half is not an integer"};
    else if constexpr (std::is_same_v<T, float>)
      return Misfit{i, fmt::format("{} is beyond the range of binary32", value)};
    else
      return Misfit{i, fmt::format("{} is not an integer of 32 bits", value)};
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t element_bytes(ElementType type) {
  switch (type) {
    case ElementType::int8:
    case ElementType::uint8:
      return 1;
    case ElementType::float16:
    case ElementType::int16:
    case ElementType::uint16:
      return 2;
    case ElementType::float32:
    case ElementType::int32:
    case ElementType::uint32:
      return 4;
    case ElementType::float64:
    case ElementType::int64:
    case ElementType::uint64:
      return 8;
    case ElementType::text:
      return 0;
  }
  return 0;
}

bool is_integer(ElementType type) {
  return type != ElementType::float16 && type != ElementType::float32 && type != ElementType::float64 &&
         type != ElementType::text;
}

template <typename T>
std::optional<Misfit> convert(ElementType type, bool big_endian, const std::byte* stored, std::uint64_t count, T* out,
                              std::uint64_t stride) {
  const auto as = [&]<typename Stored>(Stored) { return convert_as<Stored>(big_endian, stored, count, out, stride); };
  switch (type) {
    case ElementType::float16:
      return as(Half{});
    case ElementType::float32:
      return as(float{});
    case ElementType::float64:
      return as(double{});
    case ElementType::int8:
      return as(std::int8_t{});
    case ElementType::uint8:
      return as(std::uint8_t{});
    case ElementType::int16:
      return as(std::int16_t{});
    case ElementType::uint16:
      return as(std::uint16_t{});
    case ElementType::int32:
      return as(std::int32_t{});
    case ElementType::uint32:
      return as(std::uint32_t{});
    case ElementType::int64:
      return as(std::int64_t{});
    case ElementType::uint64:
      return as(std::uint64_t{});
    case ElementType::text:
      break;
  }
  return Misfit{0, "text has no stored elements"};
}

template std::optional<Misfit> convert(ElementType, bool, const std::byte*, std::uint64_t, float*, std::uint64_t);
template std::optional<Misfit> convert(ElementType, bool, const std::byte*, std::uint64_t, std::int32_t*,
                                       std::uint64_t);

void require_integers(ElementType type, const std::string& file) {
  if (!is_integer(type))
    throw Error(ErrorCode::malformed_file, file,
                fmt::format("integers are needed, the file holds {}", to_string(type)));
}

void require_memory(const std::string& file, std::uint64_t rows, std::uint64_t columns, std::uint64_t bytes_each,
                    std::uint64_t limit) {
  const auto elements = product(rows, columns);
  const auto bytes = elements ? product(*elements, bytes_each) : std::nullopt;
  if (!bytes || *bytes > limit)
    throw Error(ErrorCode::out_of_memory, file,
                fmt::format("{} rows of {} columns need {} bytes of memory, {} are allowed", rows, columns,
                            bytes ? fmt::to_string(*bytes) : "more than 2^64", limit));
}

std::uint64_t rows_to_read(std::uint64_t rows, const ReadOptions& options) {
  return std::min(options.max_rows, rows - std::min(rows, options.first_row));
}

}  // namespace proxel::data

namespace proxel {

std::string_view to_string(ElementType type) {
  switch (type) {
    case ElementType::float16:
      return "float16";
    case ElementType::float32:
      return "float32";
    case ElementType::float64:
      return "float64";
    case ElementType::int8:
      return "int8";
    case ElementType::uint8:
      return "uint8";
    case ElementType::int16:
      return "int16";
    case ElementType::uint16:
      return "uint16";
    case ElementType::int32:
      return "int32";
    case ElementType::uint32:
      return "uint32";
    case ElementType::int64:
      return "int64";
    case ElementType::uint64:
      return "uint64";
    case ElementType::text:
      return "text";
  }
  return "unknown";
}

}  // namespace proxel
