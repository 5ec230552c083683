// Device addresses as pairs of 32-bit words, so that no 64-bit integers are needed.
#ifndef PROXEL_ADDRESS_GLSL
#define PROXEL_ADDRESS_GLSL
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require

#include "proxel/passes/types.h"

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer FloatsIn { float values[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Float4sIn { vec4 values[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer FloatsOut { float values[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer UintsIn { uint values[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Uint4sIn { uvec4 values[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer UintsOut { uint values[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Uint4sOut { uvec4 values[]; };
// A key in memory is index first, distance key second (types.h).
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Keys { uvec2 values[]; };

// base + count * bytes, without overflow in 64 bits.
uvec2 advance(uvec2 base, uint count, uint bytes) {
  uint high, low;
  umulExtended(count, bytes, high, low);
  uint carry;
  const uint sum = uaddCarry(base.x, low, carry);
  return uvec2(sum, base.y + high + carry);
}

// base + (count * elements) * 4, where count * elements may pass 2^32.
uvec2 advance_elements(uvec2 base, uint count, uint elements) {
  uint high, low;
  umulExtended(count, elements, high, low);
  high = (high << 2) | (low >> 30);
  low <<= 2;
  uint carry;
  const uint sum = uaddCarry(base.x, low, carry);
  return uvec2(sum, base.y + high + carry);
}

// base + (count * keys) * 8.
uvec2 advance_keys(uvec2 base, uint count, uint keys) {
  return advance_elements(advance_elements(base, count, keys), count, keys);
}

bool is_null(uvec2 address) { return (address.x | address.y) == 0u; }

// A load whose address all invocations share may run although none of them asks for it:
// behind a condition that does not hold, and behind the last turn of a loop (docs/drivers.md).
// So none goes through null, and what was read is used for an address only where it was read
// from a place that exists. tests/shaders holds this rule.

// `address`, or where none is given `other`, which can be read as far and is as aligned.
uvec2 readable(bool given, uvec2 address, uvec2 other) { return mix(other, address, bvec2(given)); }

// Start of a tile; values inside it are at
// dimension * dimension_stride + (row % tile_rows) * row_stride.
uvec2 tile_address(Rows rows, uint tile) {
  return advance_elements(rows.address, tile, rows.tile_stride);
}

#endif
