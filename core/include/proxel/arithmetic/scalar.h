// What the headers of this folder are written in, so that one text is C++, CUDA and GLSL:
// names of types and conversions, for numbers one at a time. Who computes with vectors of
// them (core/cpu) defines the same names for vectors, and includes those headers again.
#ifndef PROXEL_ARITHMETIC_SCALAR_H
#define PROXEL_ARITHMETIC_SCALAR_H

// Every operation rounds once: `precise` in GLSL; C++ and CUDA are compiled without contraction.
#ifdef __cplusplus
#include <cmath>
#include <cstdint>
#include <cstring>
#define PROXEL_ARITHMETIC_BEGIN namespace proxel::arithmetic {
#define PROXEL_ARITHMETIC_END }
#define PROXEL_PRECISE
#define PROXEL_NUMBER inline constexpr int
#define PROXEL_MAKE(type, ...) type{__VA_ARGS__}
#define PROXEL_TABLE(name, count) PROXEL_TABLE_STORAGE float name[count] = {
#define PROXEL_TABLE_END };
#ifdef __CUDACC__
#define PROXEL_INLINE __device__ __forceinline__
#define PROXEL_TABLE_STORAGE __device__ const
#define PROXEL_FUSED_PRODUCTS 1
#else
#define PROXEL_INLINE inline
#define PROXEL_TABLE_STORAGE inline constexpr
#endif
#else
#define PROXEL_ARITHMETIC_BEGIN
#define PROXEL_ARITHMETIC_END
#define PROXEL_PRECISE precise
#define PROXEL_NUMBER const int
#define PROXEL_INLINE
#define PROXEL_MAKE(type, high, low) type(high, low)
#define PROXEL_TABLE(name, count) const float name[count] = float[count](
#define PROXEL_TABLE_END );
#endif

#define PROXEL_FLOAT float
#define PROXEL_INT int
#define PROXEL_EVERY(constant) constant
#define PROXEL_CHOOSE(condition, a, b) ((condition) ? (a) : (b))
#define PROXEL_LOOK_UP(table, place) table[place]

PROXEL_ARITHMETIC_BEGIN

#ifdef __cplusplus
#ifdef __CUDACC__
PROXEL_INLINE int bits_of(float value) { return __float_as_int(value); }
PROXEL_INLINE float float_of_bits(int bits) { return __int_as_float(bits); }
// a * b + addend, rounded once.
PROXEL_INLINE float fused(float a, float b, float addend) { return __fmaf_rn(a, b, addend); }
#else
PROXEL_INLINE int bits_of(float value) {
  int bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
PROXEL_INLINE float float_of_bits(int bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
#endif
/// Towards zero.
PROXEL_INLINE int whole_of(float value) { return static_cast<int>(value); }
PROXEL_INLINE float float_of(int whole) { return static_cast<float>(whole); }
#else
int bits_of(float value) { return floatBitsToInt(value); }
float float_of_bits(int bits) { return intBitsToFloat(bits); }
int whole_of(float value) { return int(value); }
float float_of(int whole) { return float(whole); }
#endif

PROXEL_ARITHMETIC_END
#endif
