#include "index/narrow.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "proxel/error.hpp"

namespace proxel::index {
namespace {

// Rounds to nearest even; nothing where a finite value would become infinite.
std::optional<std::uint16_t> to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  const auto with_sign = [&](std::uint32_t half) { return static_cast<std::uint16_t>(sign | half); };
  if (magnitude > 0x7F800000u) return with_sign(0x7E00u);
  if (magnitude == 0x7F800000u) return with_sign(0x7C00u);
  if (magnitude >= 0x477FF000u) return std::nullopt;  // 65520, half way past the largest
  if (magnitude < 0x38800000u) {
    // Below 2^-14 halves are multiples of 2^-24; so are the numbers from 1/2 on, whose sum rounds.
    const float shifted = std::fabs(value) + 0.5f;
    return with_sign(std::bit_cast<std::uint32_t>(shifted) - 0x3F000000u);
  }
  const std::uint32_t odd = (magnitude >> 13) & 1u;
  return with_sign((magnitude + 0xFFFu + odd - (112u << 23)) >> 13);
}

template <typename Integer>
std::optional<Integer> to_integer(float value) {
  if (!(value >= std::numeric_limits<Integer>::min() && value <= std::numeric_limits<Integer>::max()))
    return std::nullopt;
  const auto integer = static_cast<Integer>(value);
  if (static_cast<float>(integer) != value) return std::nullopt;
  return integer;
}

template <typename Element, typename Convert>
void narrow_to(const MatrixView<float>& view, ElementType type, std::uint64_t first_row, void* to,
               const Convert& convert) {
  auto* element = static_cast<Element*>(to);
  for (std::uint64_t row = 0; row < view.rows; ++row)
    for (std::uint64_t column = 0; column < view.columns; ++column) {
      const std::optional<Element> converted = convert(view(row, column));
      if (!converted)
        throw Error(ErrorCode::invalid_argument, "storage",
                    fmt::format("{} at row {}, dimension {} cannot be stored as {}", view(row, column), first_row + row,
                                column, to_string(type)));
      *element++ = *converted;
    }
}

}  // namespace

std::uint32_t element_of(ElementType type) {
  switch (type) {
    case ElementType::float32:
      return passes::element_float32;
    case ElementType::float16:
      return passes::element_float16;
    case ElementType::int8:
      return passes::element_int8;
    case ElementType::uint8:
      return passes::element_uint8;
    default:
      throw Error(ErrorCode::invalid_argument, "storage",
                  fmt::format("{} was given; float32, float16, int8 and uint8 are allowed", to_string(type)));
  }
}

void narrow(const MatrixView<float>& view, ElementType type, std::uint64_t first_row, void* to) {
  switch (type) {
    case ElementType::float16:
      return narrow_to<std::uint16_t>(view, type, first_row, to, to_half);
    case ElementType::int8:
      return narrow_to<std::int8_t>(view, type, first_row, to, to_integer<std::int8_t>);
    case ElementType::uint8:
      return narrow_to<std::uint8_t>(view, type, first_row, to, to_integer<std::uint8_t>);
    default:
      element_of(type);  // refuses what is none of them
      return narrow_to<float>(view, type, first_row, to, [](float value) { return std::optional(value); });
  }
}

}  // namespace proxel::index
