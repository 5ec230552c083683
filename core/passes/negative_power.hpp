#pragma once

// 2^-y of nothing but additions, multiplications and integers, so that every device has the
// same bits: y is split into the whole number nearest to it and a rest.

#include <bit>
#include <cstdint>
#include <type_traits>

#include "proxel/passes/sqfd_block.h"

namespace proxel::passes {

/// The bits of a real number, and how they are laid out.
template <typename Real>
struct RealBits;
template <>
struct RealBits<float> {
  using Word = std::uint32_t;
  static constexpr int mantissa = 23;
  static constexpr Word bias = 127;
  /// Added to a small number it leaves the nearest whole one in the lowest bits.
  static constexpr float to_whole = 12582912.0f;  // 1.5 * 2^23
};
template <>
struct RealBits<double> {
  using Word = std::uint64_t;
  static constexpr int mantissa = 52;
  static constexpr Word bias = 1023;
  static constexpr double to_whole = 6755399441055744.0;  // 1.5 * 2^52
};

/// @param y  0 or more, not NaN
template <typename Real>
inline Real negative_power(Real y) {
  using Bits = RealBits<Real>;
  using Word = typename Bits::Word;
  using Signed = std::make_signed_t<Word>;
  // Compared as integers, which compilers make vectors of, whatever the instruction set.
  constexpr auto largest = std::bit_cast<Signed>(Real(sqfd_largest_power));
  const auto given = std::bit_cast<Signed>(y);
  const Real bounded = std::bit_cast<Real>(given > largest ? largest : given);
  const Real shifted = bounded + Bits::to_whole;
  const Real t = bounded - (shifted - Bits::to_whole);
  Real sum = 0;
  if constexpr (std::is_same_v<Real, float>) {
#define PROXEL_STEP(coefficient) sum = sum * t + coefficient##f;
    PROXEL_SQFD_SINGLE(PROXEL_STEP)
#undef PROXEL_STEP
  } else {
#define PROXEL_STEP(high, low) sum = sum * t + std::bit_cast<double>(std::uint64_t{high} << 32 | low);
    PROXEL_SQFD_DOUBLE(PROXEL_STEP)
#undef PROXEL_STEP
  }
  const Word whole = std::bit_cast<Word>(shifted) - std::bit_cast<Word>(Bits::to_whole);
  const Word power = (Bits::bias - whole) << Bits::mantissa;
  return sum * std::bit_cast<Real>(given > largest ? Word{0} : power);
}

}  // namespace proxel::passes
