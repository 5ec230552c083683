#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/normalize_rows.h"
PROXEL_NORMALIZE_ROWS_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "decode.glsl"
#include "workgroup.glsl"

layout(push_constant, std430) uniform Push { NormalizeRowsParameters p; };

// Read and written through one type, because a row may be replaced in place.
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Values { uint bits[]; };

const uint magnitude_bits = 0x7FFFFFFFu;
const uint mantissa_bits = 0x007FFFFFu;

Values source, destination;
uint source_at, destination_at;

uint bits_of(uint i) { return source.bits[source_at + i * p.rows.dimension_stride]; }
void write(uint i, uint bits) {
  destination.bits[destination_at + i * p.destination.dimension_stride] = bits;
}
void write_all(uint bits) {
  for (uint i = 0u; i < p.dimensions; ++i) write(i, bits);
}

// What is done with each value of the row, in order. Four are asked for at once: a row may be replaced in place, so that none is
// read ahead of a write otherwise.
// @param use  a macro (i, bits)
#define FOR_EACH(use)                                                                          \
  {                                                                                            \
    uint i = 0u;                                                                               \
    for (; i + 4u <= p.dimensions; i += 4u) {                                                  \
      const uvec4 four = uvec4(bits_of(i), bits_of(i + 1u), bits_of(i + 2u), bits_of(i + 3u)); \
      use(i, four.x);                                                                          \
      use(i + 1u, four.y);                                                                     \
      use(i + 2u, four.z);                                                                     \
      use(i + 3u, four.w);                                                                     \
    }                                                                                          \
    for (; i < p.dimensions; ++i) {                                                            \
      use(i, bits_of(i));                                                                      \
    }                                                                                          \
  }

// A sum in two words: the second gathers what rounding takes from the first.
void add(inout vec2 sum, float value) {
  precise float high = sum.x + value;
  precise float taken = high - sum.x;
  precise float kept = high - taken;
  precise float lost = sum.x - kept;
  precise float lost_of_value = value - taken;
  precise float error = lost + lost_of_value;
  precise float low = sum.y + error;
  sum = vec2(high, low);
}

float rounded(vec2 sum) {
  precise float value = sum.x + sum.y;
  return value;
}

uint field_of(uint magnitude) { return max(magnitude >> 23, 1u); }

// x / 2^e, exactly, whatever the device does with subnormals.
float scaled(uint bits, uint largest_field) {
  const uint magnitude = bits & magnitude_bits;
  const uint below = largest_field - field_of(magnitude);
  if (below > negligible_exponents) return 0.0;
  const uint mantissa =
      (magnitude & mantissa_bits) | (magnitude > mantissa_bits ? mantissa_bits + 1u : 0u);
  if (mantissa == 0u) return 0.0;
  precise float value = float(mantissa) * uintBitsToFloat((127u - 23u - below) << 23);
  return (bits & ~magnitude_bits) != 0u ? -value : value;
}

// The correctly rounded reciprocal of a positive normal value, in integers:
// Vulkan's own division may be several units in the last place off.
float rounded_reciprocal(float value) {
  const uint bits = floatBitsToUint(value);
  const uint divisor = (bits & mantissa_bits) | (mantissa_bits + 1u);
  // 2^47 / divisor, of which 24 bits come by long division.
  uint rest = 1u << 23;
  uint quotient = 0u;
  if (rest >= divisor) {
    rest -= divisor;
    quotient = 1u;
  }
  for (uint i = 0u; i < 24u; ++i) {
    rest <<= 1;
    quotient <<= 1;
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= 1u;
    }
  }
  // A tie would make the divisor a power of two, which leaves no rest.
  if (2u * rest > divisor) ++quotient;
  return uintBitsToFloat(((253u - (bits >> 23)) << 23) + (quotient - (mantissa_bits + 1u)));
}

float less(float y, float mean) {
  precise float once = y - mean;
  return once;
}

float product(float a, float b) {
  precise float value = a * b;
  return value;
}

float square(float y) { return product(y, y); }

float centred(float y, float mean, float rest) {
  if (CENTRE == 0u) return y;
  return less(less(y, mean), rest);
}

void normalize_row() {
  uint largest = 0u;
  bool equal = true;
  const uint first = bits_of(0u);
#define LOOK_AT(i, bits)                           \
  largest = max(largest, (bits) & magnitude_bits); \
  equal = equal && (bits) == first
  FOR_EACH(LOOK_AT)
  if (largest >= 0x7F800000u) {
    write_all(0x7FC00000u);
    return;
  }
  if (largest == 0u || (CENTRE != 0u && equal)) {
    write_all(0u);
    return;
  }
  const uint field = field_of(largest);
  const float inverse_dimensions = uintBitsToFloat(p.inverse_dimensions);
  precise float mean = 0.0;
  precise float rest = 0.0;
  if (CENTRE != 0u) {
    vec2 sum = vec2(0.0);
#define ADD(i, bits) add(sum, scaled(bits, field))
    FOR_EACH(ADD)
    mean = rounded(sum) * inverse_dimensions;
    vec2 rests = vec2(0.0);
#define ADD_REST(i, bits) add(rests, less(scaled(bits, field), mean))
    FOR_EACH(ADD_REST)
    rest = rounded(rests) * inverse_dimensions;
  }
  vec2 squares = vec2(0.0);
#define ADD_SQUARE(i, bits) add(squares, square(centred(scaled(bits, field), mean, rest)))
  FOR_EACH(ADD_SQUARE)
  const float len = rounded_root(rounded(squares));
  if (len == 0.0) {
    write_all(0u);
    return;
  }
  const float inverse = rounded_reciprocal(len);
#define WRITE(i, bits) write(i, floatBitsToUint(product(centred(scaled(bits, field), mean, rest), inverse)))
  FOR_EACH(WRITE)
}

void main() {
  const uint threads = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  uint row = gl_WorkGroupID.x * WORKGROUP_SIZE + gl_LocalInvocationID.x;
  if (row >= p.written_rows) return;
  for (;;) {
    destination = Values(tile_address(p.destination, row / tile_rows));
    destination_at = (row % tile_rows) * p.destination.row_stride;
    if (row < p.rows.count) {
      source = Values(tile_address(p.rows, row / tile_rows));
      source_at = (row % tile_rows) * p.rows.row_stride;
      normalize_row();
    } else {
      write_all(0u);
    }
    if (p.written_rows - row <= threads) return;
    row += threads;
  }
}
