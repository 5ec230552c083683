// What a point of an image becomes: seven coordinates in whole numbers, and means and shares of them. Nothing but
// additions, subtractions and multiplications of binary32 that round once, and 32-bit integers: the same bits on
// every device, which their roots, powers and quotients are not.
#ifndef PROXEL_ARITHMETIC_IMAGE_FEATURE_H
#define PROXEL_ARITHMETIC_IMAGE_FEATURE_H
#include "../passes/types.h"
#include "scalar.h"
PROXEL_ARITHMETIC_BEGIN

// A coordinate is kept as coordinate_zero + v * coordinate_one, 16 bits.
PROXEL_NUMBER coordinate_zero = 32768;
PROXEL_NUMBER coordinate_one = 16384;
// A mean is known so much finer.
PROXEL_NUMBER mean_parts = 256;
PROXEL_NUMBER grey_levels = 16;
// Unordered pairs of them.
PROXEL_NUMBER level_pairs = 136;

#ifdef __cplusplus
PROXEL_INLINE PROXEL_UINT unsigned_of(PROXEL_INT value) { return static_cast<PROXEL_UINT>(value); }
PROXEL_INLINE PROXEL_INT signed_of(PROXEL_UINT value) { return static_cast<PROXEL_INT>(value); }
#else
uint unsigned_of(int value) { return uint(value); }
int signed_of(uint value) { return int(value); }
#endif

// Of a pixel's four bytes, the lowest first: 0 red, 1 green, 2 blue.
PROXEL_INLINE PROXEL_UINT channel_of(PROXEL_UINT pixel, PROXEL_INT channel) { return (pixel >> (8 * channel)) & 255u; }

// 0 … 15, by the weights of ITU-R BT.601 in parts of 256.
PROXEL_INLINE PROXEL_UINT grey_level(PROXEL_UINT pixel) {
  return (77u * channel_of(pixel, 0) + 150u * channel_of(pixel, 1) + 29u * channel_of(pixel, 2) + 128u) >> 12;
}

// Which of level_pairs two levels are.
PROXEL_INLINE PROXEL_UINT level_pair(PROXEL_UINT one, PROXEL_UINT other) {
  PROXEL_UINT high = one > other ? one : other;
  PROXEL_UINT low = one > other ? other : one;
  return high * (high + 1u) / 2u + low;
}

// The largest whole number whose square is at most that.
PROXEL_INLINE PROXEL_UINT whole_root(PROXEL_UINT value) {
  PROXEL_UINT root = 0u;
  for (PROXEL_UINT bit = 32768u; bit != 0u; bit >>= 1)
    if ((root + bit) * (root + bit) <= value) root += bit;
  return root;
}

// The root of the mean square of differences of levels, in parts of the largest difference.
// pairs: 1 … 8,320; squares: at most 225 a pair.
PROXEL_INLINE PROXEL_INT contrast_of(PROXEL_UINT squares, PROXEL_UINT pairs) {
  PROXEL_UINT whole = squares / pairs;
  PROXEL_UINT rest = squares - whole * pairs;
  PROXEL_UINT mean = (whole << 18) + (rest << 18) / pairs;
  return signed_of((4u * whole_root(mean << 6) + 7u) / 15u);
}

// surplus: of n log2 n of all pairs above the sum of those of equal ones, in parts of 2^-17 log2(level_pairs).
PROXEL_INLINE PROXEL_INT entropy_of(PROXEL_UINT surplus, PROXEL_UINT pairs) {
  return signed_of((surplus / pairs + 4u) >> 3);
}

// The cube root of 0.008 … 1.01, within 2^-21 of it: Newton's steps to the inverse one, from a guess in integers.
PROXEL_INLINE PROXEL_FLOAT cube_root(PROXEL_FLOAT value) {
  PROXEL_PRECISE PROXEL_FLOAT inverse = float_of_bits(0x54A21D2A - bits_of(value) / 3);
  PROXEL_PRECISE PROXEL_FLOAT third = 0.333333343f * value;
  for (PROXEL_INT step = 0; step < 4; ++step) {
    PROXEL_PRECISE PROXEL_FLOAT cube = (inverse * inverse) * inverse;
    inverse = inverse * (1.33333337f - third * cube);
  }
  PROXEL_PRECISE PROXEL_FLOAT root = value * (inverse * inverse);
  return root;
}

// CIE 15: the cube root, and a straight line near black.
PROXEL_INLINE PROXEL_FLOAT lightness_of(PROXEL_FLOAT part) {
  PROXEL_PRECISE PROXEL_FLOAT line = part * 7.7870369f + 0.137931034f;
  PROXEL_PRECISE PROXEL_FLOAT curve = cube_root(part > 0.008f ? part : 0.008f);
  return part > 0.00885645207f ? curve : line;
}

// The nearest coordinate to a value of -1.9 … 1.9, from zero.
PROXEL_INLINE PROXEL_INT coordinate_of(PROXEL_FLOAT value) {
  PROXEL_PRECISE PROXEL_FLOAT shifted = value * 16384.0f + 32768.5f;
  return whole_of(shifted) - coordinate_zero;
}

struct lab_coordinates {
  PROXEL_INT lightness;
  PROXEL_INT a;
  PROXEL_INT b;
};

// CIELAB / 100 under D65 of a colour's light, 0 … 1 a channel. What leads to XYZ here has rows of the sum 1, which is
// white's, so that greys have a = b = 0.
PROXEL_INLINE lab_coordinates lab_of(PROXEL_FLOAT red, PROXEL_FLOAT green, PROXEL_FLOAT blue) {
  PROXEL_PRECISE PROXEL_FLOAT of_x = (0.433949947f * red + 0.376209766f * green) + 0.189840287f * blue;
  PROXEL_PRECISE PROXEL_FLOAT of_y = (0.212672874f * red + 0.715152144f * green) + 0.0721749961f * blue;
  PROXEL_PRECISE PROXEL_FLOAT of_z = (0.0177565832f * red + 0.109467961f * green) + 0.872775435f * blue;
  PROXEL_PRECISE PROXEL_FLOAT x = lightness_of(of_x);
  PROXEL_PRECISE PROXEL_FLOAT y = lightness_of(of_y);
  PROXEL_PRECISE PROXEL_FLOAT z = lightness_of(of_z);
  PROXEL_PRECISE PROXEL_FLOAT lightness = 1.15999997f * y - 0.159999996f;
  PROXEL_PRECISE PROXEL_FLOAT a = 5.0f * (x - y);
  PROXEL_PRECISE PROXEL_FLOAT b = 2.0f * (y - z);
  lab_coordinates lab;
  lab.lightness = coordinate_of(lightness);
  lab.a = coordinate_of(a);
  lab.b = coordinate_of(b);
  return lab;
}

// The middle of a pixel, in parts of the side. pixel < side <= 65,536.
PROXEL_INLINE PROXEL_INT position_of(PROXEL_UINT pixel, PROXEL_UINT side) {
  return signed_of(((2u * pixel + 1u) * 16384u + side) / (2u * side));
}

// A coordinate times a weight of 0 … 16384, in parts of 16384; as it is kept.
PROXEL_INLINE PROXEL_UINT weighted(PROXEL_INT coordinate, PROXEL_UINT weight) {
  return unsigned_of(((coordinate * signed_of(weight) + 8192) >> 14) + coordinate_zero);
}

// A kept coordinate as a number, 1 / mean_parts of its unit the new unit.
PROXEL_INLINE PROXEL_FLOAT number_of(PROXEL_UINT kept) {
  return float_of((signed_of(kept) - coordinate_zero) * mean_parts);
}

// The mean of 1 … 65,536 kept coordinates with that sum, likewise: rounded to a whole number, and exact as binary32.
PROXEL_INLINE PROXEL_FLOAT mean_of(PROXEL_UINT sum, PROXEL_UINT count) {
  PROXEL_UINT whole = sum / count;
  PROXEL_UINT rest = sum - whole * count;
  PROXEL_UINT parts = (rest * 256u + count / 2u) / count;
  return float_of((signed_of(whole) - coordinate_zero) * mean_parts + signed_of(parts));
}

// count / total, correctly rounded. 1 <= count <= total <= 65,536.
PROXEL_INLINE PROXEL_FLOAT share_of(PROXEL_UINT count, PROXEL_UINT total) {
  PROXEL_UINT rest = count;
  PROXEL_INT exponent = 127;
  while (rest < total) {
    rest <<= 1;
    --exponent;
  }
  PROXEL_UINT digits = 0u;  // behind the first, which is 1
  rest -= total;
  for (PROXEL_INT digit = 0; digit < 23; ++digit) {
    rest <<= 1;
    digits <<= 1;
    if (rest >= total) {
      rest -= total;
      digits |= 1u;
    }
  }
  if (2u * rest > total || (2u * rest == total && (digits & 1u) != 0u)) ++digits;
  return float_of_bits((exponent << 23) + signed_of(digits));
}

PROXEL_ARITHMETIC_END
#endif
