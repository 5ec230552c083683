#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/screen_codes.h"
PROXEL_SCREEN_CODES_CONSTANTS(PROXEL_SPECIALISED)
#include "query_team.glsl"
#include "screen_bounds.glsl"
#include "proxel/passes/screen_origin.h"

const bool SUMS_DIFFERENCES = METRIC == 0u;
const bool INNER_PRODUCT = METRIC == 3u;
const bool PRODUCTS = METRIC == 1u || INNER_PRODUCT;
// A query of an inner product is not shifted: q'r' = c^2 (qr - qm).
const bool SHIFTED = !(QUERIES != 0u && INNER_PRODUCT);
const float most_code = float(screen_most_code);
// Values that are asked for before the first is used, whole words.
const uint ahead = 16u;
// kappa of a sum of codes, which is exact until it becomes a score.
const float code_rounding = two_to_minus_20 / 2.0;

layout(push_constant, std430) uniform Push { ScreenCodesParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Uints { uint values[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Float4sOut { vec4 values[]; };

// Bits of the largest X, Y, W and norm of the tile; none is negative.
shared uint largest[4];

FloatsIn values;  // of this row
FloatsIn frame;
float scale;

float value_of(uint i) { return values.values[i * p.rows.dimension_stride]; }
float in_frame(float value, uint i) {
  precise float difference = value;
  if (SHIFTED) difference = value - frame.values[screen_frame_origin + i];
  precise float x = scale * difference;
  return x;
}

// What a norm of the metric adds up.
float accumulate(float sum, float value) {
  const float magnitude = abs(value);
  if (SUMS_DIFFERENCES) return sum + magnitude;
  return PRODUCTS ? sum + magnitude * magnitude : max(sum, magnitude);
}

struct Norms {
  float squared;    // of x, summed with compensation
  float whole;      // what the norms of these add up: of x
  float coded;      // of what the codes stand for
  float lost;       // of what they miss
  float unshifted;  // the squared norm of scale * value
  bool finite, nan;
};
Norms norms = Norms(0.0, 0.0, 0.0, 0.0, 0.0, true, false);
float compensation = 0.0;

int code_of(float value, uint i, float step, float per_step) {
  const float x = in_frame(value, i);
  norms.finite = norms.finite && is_finite(x);
  norms.nan = norms.nan || is_nan(value);
  const float code = is_finite(x) ? clamp(roundEven(x * per_step), -most_code, most_code) : 0.0;
  precise float stands_for = code * step;
  precise float lost = x - stands_for;
  norms.coded = accumulate(norms.coded, stands_for);
  norms.lost = accumulate(norms.lost, lost);
  norms.whole = accumulate(norms.whole, x);
  const float unshifted = scale * value;
  norms.unshifted += unshifted * unshifted;
  precise float term = x * x;
  precise float corrected = term - compensation;
  precise float sum = norms.squared + corrected;
  precise float gained = sum - norms.squared;
  compensation = gained - corrected;
  norms.squared = sum;
  return int(code);
}

// A norm of what was added up; what is added may have underflowed.
float norm(float sum) {
  const float with_underflow = sum + norm_underflow(p.dimensions);
  return PRODUCTS ? sqrt(with_underflow) : with_underflow;
}
float lost_norm() {
  // x itself is the true value but for the rounding of a subtraction.
  return norm(norms.lost) + two_to_minus_22 * norm(norms.whole);
}

void write_query_bounds(uint query, float step, float row_step) {
  Float4sOut bounds = Float4sOut(advance(p.bounds, query, 32u));
  if (!norms.finite) {
    bounds.values[0] = bounds.values[1] = vec4(0.0);
    return;
  }
  const float up = norm_rounding(p.dimensions);
  const float gamma = canonical_rounding(p.dimensions);
  const float canonical_scale = PRODUCTS ? scale * scale : scale;
  // Never 0, so that it covers what underflows in the threshold's own formula.
  const float underflow = canonical_scale * norm_underflow(p.dimensions) + uintBitsToFloat(7u << 23);
  // Scores of longer queries may overflow, or rows that are not screened be nearer than what certifies: 2^62, 2^126.
  bool certifiable = PRODUCTS ? norm(norms.coded) * up < uintBitsToFloat(189u << 23)
                              : norm(norms.whole) * up < uintBitsToFloat(253u << 23);
  vec4 slacks = vec4(PRODUCTS ? 0.5 * norms.squared * up : 0.0, 2.1 * gamma * up, underflow * up, 0.0);
  if (INNER_PRODUCT) {
    const float product = norm(norms.whole) * frame.values[1];
    slacks.xyz = vec3(0.0, 0.0, 2.002 * (gamma * product + underflow) * up);
    // A sum that may overflow on its way to a canonical value bounds nothing.
    certifiable = certifiable && is_finite(product) && product < canonical_scale * uintBitsToFloat(253u << 23);  // 2^126
  }
  bounds.values[0] = vec4(PRODUCTS ? norm(norms.coded) * up : 1.0,
                          (lost_norm() + (PRODUCTS ? 0.0 : code_rounding * norm(norms.coded))) * up,
                          PRODUCTS ? step * row_step : -row_step,
                          certifiable ? 1.0 : 0.0);
  bounds.values[1] = slacks;
}

void write_row_bounds(uint tile, uint row, bool exists) {
  const uint thread = gl_LocalInvocationID.x;
  if (thread < 4u) largest[thread] = 0u;
  barrier();
  float bias = -infinity;
  if (exists && norms.finite) {
    bias = METRIC == 1u ? -0.5 * norms.squared : 0.0;
    // By products what codes miss is at most twice a norm whose square is finite, also where its own square is not: 2^66.
    const float most = PRODUCTS ? uintBitsToFloat(193u << 23) : largest_float;
    const float missed = lost_norm() + code_rounding * norm(norms.coded);
    atomicMax(largest[0], floatBitsToUint(is_finite(missed) ? min(missed, most) : most));
    atomicMax(largest[1], floatBitsToUint(PRODUCTS ? norm(norms.whole) : 1.0));
    atomicMax(largest[2], floatBitsToUint(abs((code_rounding + two_to_minus_20) * bias)));
    const float unshifted = sqrt(norms.unshifted + norm_underflow(p.dimensions));
    atomicMax(largest[3], floatBitsToUint(unshifted * norm_rounding(p.dimensions)));
  } else if (exists && !norms.nan) {
    atomicMax(largest[3], 0x7F800000u);
  }
  FloatsOut(advance(p.biases, row, 4u)).values[0] = bias;
  barrier();
  if (thread != 0u) return;
  Float4sOut(advance(p.bounds, tile, 16u)).values[0] =
      vec4(uintBitsToFloat(largest[0]), uintBitsToFloat(largest[1]), 0.0, uintBitsToFloat(largest[2])) *
      norm_rounding(p.dimensions);
  atomicMax(Uints(p.frame).values[1], largest[3]);
}

// The byte of a word that a dimension has.
uint byte_of(float value, uint dimension, float step, float per_step) {
  const int code = code_of(value, dimension, step, per_step) + (PRODUCTS ? 0 : 128);
  return (uint(code) & 0xFFu) << (8u * (dimension % 4u));
}

bool all_finite() {
  return norms.finite && (!PRODUCTS || is_finite(norms.squared)) && is_finite(norms.whole);
}

// Brings together what the invocations of a query have found.
void combine_norms() {
  if (PRODUCTS || SUMS_DIFFERENCES) {
    const vec4 sums = team_sum(vec4(norms.coded, norms.lost, norms.whole, norms.squared));
    norms.coded = sums.x;
    norms.lost = sums.y;
    norms.whole = sums.z;
    norms.squared = sums.w;
  } else {
    norms.coded = team_largest(norms.coded);
    norms.lost = team_largest(norms.lost);
    norms.whole = team_largest(norms.whole);
  }
  norms.finite = team_largest(norms.finite ? 0u : 1u) == 0u;
}

void encode_query(uint tile, float row_step) {
  const uint query = tile * tile_rows + team_query();
  const bool exists = query < p.rows.count;
  const uint behind = exists ? p.dimensions : 0u;
  values = FloatsIn(advance(tile_address(p.rows, tile), exists ? team_query() : 0u, 4u * p.rows.row_stride));
  float step = row_step;
  if (PRODUCTS) {
    float farthest = 0.0;
    const uint together = 8u;
    for (uint first = team_lane(); first < behind; first += together * team_size) {
      float magnitudes[together];
      [[unroll]] for (uint j = 0u; j < together; ++j) {
        // Past the last the first is looked at again.
        const uint i = first + j * team_size < behind ? first + j * team_size : first;
        magnitudes[j] = abs(in_frame(value_of(i), i));
      }
      [[unroll]] for (uint j = 0u; j < together; ++j)
        if (is_finite(magnitudes[j])) farthest = max(farthest, magnitudes[j]);
    }
    farthest = team_largest(farthest);
    if (farthest > 0.0) step = max(farthest / most_code, uintBitsToFloat(27u << 23));
  }
  const float per_step = 1.0 / step;
  UintsOut words = UintsOut(advance_elements(p.codes, exists ? query : 0u, p.words));
  for (uint word = team_lane(); 4u * word < behind; word += team_size) {
    float loaded[4];
    [[unroll]] for (uint i = 0u; i < 4u; ++i) loaded[i] = value_of(min(4u * word + i, behind - 1u));
    uint bytes = 0u;
    [[unroll]] for (uint i = 0u; i < 4u; ++i)
      if (4u * word + i < behind) bytes |= byte_of(loaded[i], 4u * word + i, step, per_step);
    words.values[word] = bytes;
  }
  combine_norms();
  norms.finite = all_finite();
  if (exists && team_lane() == 0u) write_query_bounds(query, step, row_step);
}

void encode_row(uint tile, float step) {
  const uint thread = gl_LocalInvocationID.x;
  const uint row = tile * tile_rows + thread;
  const bool exists = row < p.rows.count;
  values = FloatsIn(advance(tile_address(p.rows, tile), exists ? thread : 0u, 4u * p.rows.row_stride));
  const float per_step = 1.0 / step;
  // Words of a row lie apart.
  UintsOut words = UintsOut(advance(advance_elements(p.codes, tile, p.words * tile_rows), thread, 4u));
  for (uint first = 0u; first < p.words; first += ahead / 4u) {
    float loaded[ahead];
    [[unroll]] for (uint i = 0u; i < ahead; ++i) loaded[i] = value_of(min(4u * first + i, p.dimensions - 1u));
    for (uint j = 0u; j < ahead / 4u && first + j < p.words; ++j) {
      const uint word = first + j;
      uint bytes = 0u;
      [[unroll]] for (uint i = 0u; i < 4u; ++i)
        if (exists && 4u * word + i < p.dimensions)
          bytes |= byte_of(loaded[4u * j + i], 4u * word + i, step, per_step);
      words.values[word * tile_rows] = bytes;
    }
  }
  norms.finite = all_finite();
  write_row_bounds(tile, row, exists);
}

void main() {
  const uint tile = p.first_tile + gl_WorkGroupID.x;
  frame = FloatsIn(p.frame);
  scale = frame.values[0];
  const float row_step = frame.values[screen_frame_step] * (METRIC == 2u ? float(screen_linf_quarters) * 0.25 : 1.0);
  if (QUERIES != 0u) {
    zero_words(p.zeroed, p.zeroed_words);
    encode_query(tile, row_step);
  } else {
    encode_row(tile, row_step);
  }
}
