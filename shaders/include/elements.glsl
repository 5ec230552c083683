// Stored elements as binary32, exactly: the element constants of types.h.
#ifndef PROXEL_ELEMENTS_GLSL
#define PROXEL_ELEMENTS_GLSL
#include "address.glsl"

uint element_bytes(uint element) {
  return element == element_float32 ? 4u : element == element_float16 ? 2u : 1u;
}

// By integers, because a device may flush the denormals of binary16.
float half_value(uint bits) {
  const uint sign = (bits & 0x8000u) << 16;
  const uint exponent = (bits >> 10) & 0x1Fu;
  const uint mantissa = bits & 0x3FFu;
  if (exponent == 0u) {
    const float magnitude = float(mantissa) * uintBitsToFloat((127u - 24u) << 23);
    return uintBitsToFloat(sign | floatBitsToUint(magnitude));
  }
  const uint wide = exponent == 31u ? 0x7F800000u : (exponent + 112u) << 23;
  return uintBitsToFloat(sign | wide | mantissa << 13);
}

// The element `index` of those that lie one after the other from a multiple of
// 4 bytes on. The word that holds it is read whole.
float element_value(uvec2 elements, uint element, uint index) {
  UintsIn words = UintsIn(elements);
  if (element == element_float32) return uintBitsToFloat(words.values[index]);
  if (element == element_float16)
    return half_value((words.values[index / 2u] >> (index % 2u * 16u)) & 0xFFFFu);
  const uint word = words.values[index / 4u];
  const int shift = int(index % 4u * 8u);
  return element == element_int8 ? float(bitfieldExtract(int(word), shift, 8))
                                 : float(bitfieldExtract(word, shift, 8));
}

#endif
