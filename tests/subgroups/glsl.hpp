#pragma once

// What the shaders of this test need of GLSL's types and functions.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace proxel::glsl {

using uint = std::uint32_t;

struct uvec2 {
  uint x, y;
  uvec2() = default;
  constexpr explicit uvec2(uint both) : x(both), y(both) {}
  constexpr uvec2(uint a, uint b) : x(a), y(b) {}
  uvec2 yx() const { return {y, x}; }
  uint& operator[](uint i) { return i == 0 ? x : y; }
  uvec2& operator+=(const uvec2& other) {
    x += other.x;
    y += other.y;
    return *this;
  }
  bool operator==(const uvec2&) const = default;
};

struct uvec3 {
  uint x, y, z;
};

template <typename T>
struct vec {
  T x, y, z, w;
  vec() = default;
  constexpr explicit vec(T all) : x(all), y(all), z(all), w(all) {}
  constexpr vec(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
  T& operator[](uint i) { return (&x)[i]; }
  const T& operator[](uint i) const { return (&x)[i]; }
  bool operator==(const vec&) const = default;
};
using uvec4 = vec<uint>;
using vec4 = vec<float>;

inline uvec4 operator~(const uvec4& a) { return {~a.x, ~a.y, ~a.z, ~a.w}; }
inline uvec4& operator&=(uvec4& a, const uvec4& b) {
  for (uint i = 0; i < 4; ++i) a[i] &= b[i];
  return a;
}

struct bvec2 {
  bool both;
  explicit bvec2(bool value) : both(value) {}
};
struct bvec4 {
  bool all;
  explicit bvec4(bool value) : all(value) {}
};
inline vec4 mix(const vec4& no, const vec4& yes, const bvec4& which) { return which.all ? yes : no; }
inline uvec2 mix(const uvec2& no, const uvec2& yes, const bvec2& which) { return which.both ? yes : no; }

constexpr float uintBitsToFloat(uint bits) { return std::bit_cast<float>(bits); }
constexpr uint floatBitsToUint(float value) { return std::bit_cast<uint>(value); }
constexpr int floatBitsToInt(float value) { return std::bit_cast<int>(value); }
constexpr float intBitsToFloat(int bits) { return std::bit_cast<float>(bits); }
inline int findLSB(uint bits) { return bits == 0 ? -1 : std::countr_zero(bits); }
inline int findMSB(uint bits) { return 31 - std::countl_zero(bits); }
inline int bitCount(uint bits) { return std::popcount(bits); }
inline uint bitfieldExtract(uint value, int first, int bits) {
  return value >> first & (bits == 32 ? ~0u : (1u << bits) - 1u);
}
inline uint bitfieldInsert(uint base, uint insert, int first, int bits) {
  const uint mask = (bits == 32 ? ~0u : (1u << bits) - 1u) << first;
  return (base & ~mask) | (insert << first & mask);
}
inline void umulExtended(uint a, uint b, uint& high, uint& low) {
  const std::uint64_t product = std::uint64_t{a} * b;
  high = static_cast<uint>(product >> 32);
  low = static_cast<uint>(product);
}
inline uint uaddCarry(uint a, uint b, uint& carry) {
  carry = a + b < a;
  return a + b;
}
inline uint usubBorrow(uint a, uint b, uint& borrow) {
  borrow = a < b;
  return a - b;
}
inline uint min(uint a, uint b) { return a < b ? a : b; }
inline uint max(uint a, uint b) { return a > b ? a : b; }
inline float max(float a, float b) { return a < b ? b : a; }
inline int max(int a, int b) { return a > b ? a : b; }
inline uint clamp(uint value, uint low, uint high) { return min(max(value, low), high); }
inline float abs(float value) { return std::fabs(value); }
inline float ceil(float value) { return std::ceil(value); }
inline float sqrt(float value) { return std::sqrt(value); }

// Invocations run one at a time.
inline uint atomicAdd(uint& place, uint value) { return std::exchange(place, place + value); }
inline uint atomicMin(uint& place, uint value) { return std::exchange(place, min(place, value)); }
inline uint atomicMax(uint& place, uint value) { return std::exchange(place, max(place, value)); }
inline uint atomicOr(uint& place, uint value) { return std::exchange(place, place | value); }

}  // namespace proxel::glsl
