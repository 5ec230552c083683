// What a number is, by its bits: devices may take comparisons with NaN as they like.
#ifndef PROXEL_FINITE_GLSL
#define PROXEL_FINITE_GLSL

bool is_finite(float value) { return (floatBitsToUint(value) & 0x7F800000u) != 0x7F800000u; }
bool is_nan(float value) { return (floatBitsToUint(value) & 0x7FFFFFFFu) > 0x7F800000u; }

#endif
