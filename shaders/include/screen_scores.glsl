// Scores of halves and of integers. Define HALVES or INTEGERS before.
#ifndef PROXEL_SCREEN_SCORES_GLSL
#define PROXEL_SCREEN_SCORES_GLSL
#include "screen_lists.glsl"
#include "proxel/passes/screen_integers.h"

#ifdef INTEGERS
#define Score int
#define Score4 ivec4
#define ScoresIn IntsIn
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer IntsIn { int values[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Score4sIn { ivec4 values[]; };
const int no_score = int(screen_integer_nothing);
const int out_of_reach = 1 << 29;
int score_of_bits(uint bits) { return int(bits); }
ivec4 score_of_bits(uvec4 bits) { return ivec4(bits); }
float error_of_bits(int bits) { return intBitsToFloat(bits); }
int bits_of_error(float error) { return floatBitsToInt(error); }
uvec4 bits_of_score(ivec4 score) { return uvec4(score); }
float value_of_score(int score) { return score <= no_score / 2 ? -infinity : float(score); }
// The least score that is worth a finite value; beyond what any score is, that will do.
int score_of_value(float value) {
  const float furthest = float(1 << 28);
  return max(int(ceil(clamp(value, -furthest, furthest))), no_score / 2 + 1);
}
#else
#define Score float
#define Score4 vec4
#define ScoresIn FloatsIn
#define Score4sIn Float4sIn
const float no_score = -infinity;
const float out_of_reach = infinity;
float score_of_bits(uint bits) { return uintBitsToFloat(bits); }
vec4 score_of_bits(uvec4 bits) { return uintBitsToFloat(bits); }
float error_of_bits(float error) { return error; }
float bits_of_error(float error) { return error; }
uvec4 bits_of_score(vec4 score) { return floatBitsToUint(score); }
float value_of_score(float score) { return score; }
float score_of_value(float value) { return max(value, -largest_float); }
#endif

// What a query asks of scores of a tile. Collecting: the least that is collected, never that of rows that are not screened.
// Sampling: the bits of what they err by.
Score asked_of_tile(Asker asker, uint tile) {
  const float error = error_of_tile(asker, tile);
  if (COLLECTS == 0u) return bits_of_error(error);
  // Out of reach where nothing is wanted, whatever the error.
  return is_finite(asker.threshold) ? score_of_value(asker.threshold - error) : out_of_reach;
}

bvec4 four_allowed(uint four_bits) { return notEqual(uvec4(four_bits) & uvec4(1u, 2u, 4u, 8u), uvec4(0u)); }
Score4 allowed_scores(Score4 scores, uint four_bits) { return mix(Score4(no_score), scores, four_allowed(four_bits)); }
Score best_of(Score4 a) { return max(max(a.x, a.y), max(a.z, a.w)); }

#endif
