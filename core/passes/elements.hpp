#pragma once

// Stored elements as binary32, exactly: the element constants of types.h.

#include <bit>
#include <cstdint>
#include <cstring>

#include "proxel/passes/types.h"

namespace proxel::passes {

constexpr std::uint32_t element_bytes(std::uint32_t element) {
  switch (element) {
    case element_float16:
      return 2;
    case element_int8:
    case element_uint8:
      return 1;
    default:
      return 4;
  }
}

/// IEEE 754 binary16 as binary32; every value has one, NaN keeps its payload.
inline float half_value(std::uint32_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1Fu;
  const std::uint32_t mantissa = bits & 0x3FFu;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 31 ? 0x7F800000u : (exponent + 112) << 23;
  return std::bit_cast<float>(sign | wide | mantissa << 13);
}

/// The element `index` of those that lie one after the other.
inline float element_value(const void* elements, std::uint32_t element, std::uint64_t index) {
  switch (element) {
    case element_float16: {
      std::uint16_t bits;
      std::memcpy(&bits, static_cast<const std::byte*>(elements) + 2 * index, sizeof bits);
      return half_value(bits);
    }
    case element_int8:
      return static_cast<const std::int8_t*>(elements)[index];
    case element_uint8:
      return static_cast<const std::uint8_t*>(elements)[index];
    default:
      return static_cast<const float*>(elements)[index];
  }
}

}  // namespace proxel::passes
