// The order of candidates by (distance, index); see proxel/passes/types.h.
// In registers a key is uvec2(distance key, index).
#ifndef PROXEL_ORDER_GLSL
#define PROXEL_ORDER_GLSL

const uvec2 no_row = uvec2(0xFFFFFFFFu);

// Made of names, as operators that hold comparisons become branches, which in loops took NVIDIA's compiler 80 to 160 cycles each.
bool key_less(uvec2 a, uvec2 b) {
  const bool less = a.x < b.x, equal = a.x == b.x, earlier = a.y < b.y;
  const bool tie = equal && earlier;
  return less || tie;
}
uvec2 key_min(uvec2 a, uvec2 b) { return key_less(b, a) ? b : a; }

// Bits that order as numbers do, -0 before +0, and the number of such bits.
uint ascending_bits(uint bits) { return bits ^ (uint(int(bits) >> 31) | 0x80000000u); }
float ascending_value(uint ascending) {
  return uintBitsToFloat((ascending & 0x80000000u) != 0u ? ascending ^ 0x80000000u : ~ascending);
}

uint distance_key(float value, bool largest_first) {
  uint bits = floatBitsToUint(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return 0xFFFFFFFFu;
  if (bits == 0x80000000u) bits = 0u;
  return largest_first ? ~ascending_bits(bits) : ascending_bits(bits);
}

// The value whose distance key this is; the key of a NaN gives the quiet NaN.
float distance_of_key(uint key, bool largest_first) {
  if (key == 0xFFFFFFFFu) return uintBitsToFloat(0x7FC00000u);
  return ascending_value(largest_first ? ~key : key);
}

#endif
