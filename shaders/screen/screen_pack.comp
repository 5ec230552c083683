#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/screen_pack.h"
PROXEL_SCREEN_PACK_CONSTANTS(PROXEL_SPECIALISED)
#include "screen_operand.glsl"
#include "query_team.glsl"
#include "half.glsl"
#include "screen_bounds.glsl"
#include "proxel/passes/screen_origin.h"

const bool INNER_PRODUCT = METRIC == 3u;
// A query of an inner product is not shifted: q'r' = c^2 (qr - qm).
const bool SHIFTED = !(QUERIES != 0u && INNER_PRODUCT);

layout(push_constant, std430) uniform Push { ScreenPackParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Uints { uint values[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Float4sOut { vec4 values[]; };

// Halves on their way: written eight by eight, lines leave the cache before all of them is there.
const uint staged_chunks = 4u;
shared uvec4 staged[tile_rows * staged_chunks];
// Which of a row's places there a chunk has, and the other way round: neighbouring rows use different banks.
uint staged_at(uint row, uint chunk) { return chunk ^ (row / 2u % staged_chunks); }
// Bits of the largest X, Y, Z, W and norm of the tile; none is negative.
shared uint largest[5];

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

struct Norms {
  float squared;     // of x, summed with compensation
  float product;     // the squares of these norms: of |high| + |low|
  float low;         // of plain halves the square of their norm weighted by half_sum_weight()
  float residual;    // of x - high - low
  float unshifted;   // of scale * value
  uint largest;      // magnitude of x, as bits, which NaN and infinity are the largest of
};

// What has been summed up of a row, and what the sum of squares lost meanwhile.
Norms norms = Norms(0.0, 0.0, 0.0, 0.0, 0.0, 0u);
float lost = 0.0;

// Adds a coordinate, scaled with and without the shift, whose square has that weight. Returns its half.
float add(float x, float unshifted, float weight) {
  norms.largest = max(norms.largest, floatBitsToUint(x) & 0x7FFFFFFFu);
  const float high = nearest_half(x);
  precise float rest = x - high;
  const float low = SPLIT != 0u ? nearest_half(rest) : 0.0;
  precise float residual = rest - low;
  const float both = abs(high) + abs(low);
  norms.product += both * both;
  norms.low += SPLIT != 0u ? low * low : weight * (both * both);
  norms.residual += residual * residual;
  norms.unshifted += unshifted * unshifted;
  precise float term = x * x;
  precise float corrected = term - lost;
  precise float sum = norms.squared + corrected;
  precise float gained = sum - norms.squared;
  precise float missed = gained - corrected;
  lost = missed;
  norms.squared = sum;
  return high;
}

uvec4 packed_halves(float halves[8]) {
  return uvec4(packHalf2x16(vec2(halves[0], halves[1])), packHalf2x16(vec2(halves[2], halves[3])),
               packHalf2x16(vec2(halves[4], halves[5])), packHalf2x16(vec2(halves[6], halves[7])));
}

// Adds eight dimensions from `first` on, as many as there are. Returns their halves.
uvec4 add_eight(uint first) {
  const float weight = half_sum_weight(p.dimensions, first);
  float loaded[8];
  float halves[8];
  if (first + 8u <= p.dimensions) {
    [[unroll]] for (uint j = 0u; j < 8u; ++j) loaded[j] = value_of(first + j);
    [[unroll]] for (uint j = 0u; j < 8u; ++j) halves[j] = add(in_frame(loaded[j], first + j), scale * loaded[j], weight);
  } else {
    [[unroll]] for (uint j = 0u; j < 8u; ++j) {
      halves[j] = 0.0;
      if (first + j >= p.dimensions) continue;
      const float value = value_of(first + j);
      halves[j] = add(in_frame(value, first + j), scale * value, weight);
    }
  }
  return packed_halves(halves);
}

bool finite() { return norms.largest < 0x7F800000u && is_finite(norms.squared); }

bool has_nan() {
  for (uint i = 0u; i < p.dimensions; ++i)
    if (is_nan(value_of(i))) return true;
  return false;
}

float root(float sum) { return sqrt(sum + norm_underflow(p.dimensions)); }
float residual_norm(Norms norms) {
  // x itself is the true value but for the rounding of a subtraction, 2^-24.
  return root(norms.residual) + two_to_minus_24 * root(norms.squared);
}

// Of a row whose values are kept as two halves each.
float split_half_at(uint depth) {
  if (depth >= 3u * p.dimensions || !finite()) return 0.0;
  const uint section = depth / p.dimensions;
  const uint i = depth - section * p.dimensions;
  const float x = in_frame(value_of(i), i);
  const float high = nearest_half(x);
  const bool wants_low = section == (QUERIES != 0u ? 2u : 1u);
  precise float rest = x - high;
  return wants_low ? nearest_half(rest) : high;
}

void write_query_bounds(uint query, Norms norms) {
  Float4sOut bounds = Float4sOut(advance(p.bounds, query, 32u));
  if (!finite()) {
    bounds.values[0] = bounds.values[1] = vec4(0.0);
    return;
  }
  const float up = norm_rounding(p.dimensions);
  const float gamma = canonical_rounding(p.dimensions);
  const float scale_squared = scale * scale;
  bool certifiable = uintBitsToFloat(norms.largest) <= largest_half;
  vec4 slacks = vec4(0.0);
  // Never 0, so that it covers what underflows in the threshold's own formula.
  const float underflow = scale_squared * norm_underflow(p.dimensions) + uintBitsToFloat(7u << 23);
  if (INNER_PRODUCT) {
    const float product = root(norms.squared) * frame.values[1];
    slacks.z = 2.002 * (gamma * product + underflow) * up;
    // A sum that may overflow on its way to a canonical value bounds nothing.
    const float limit = scale_squared * uintBitsToFloat(253u << 23);  // 2^126
    certifiable = certifiable && is_finite(product) && product < limit;
  } else {
    slacks = vec4(0.5 * norms.squared * up, 2.1 * gamma * up, underflow * up, 0.0);
  }
  const float norm = root(norms.product);
  float residual = residual_norm(norms);
  float third = SPLIT != 0u || SUMS == screen_sums_halves ? root(norms.low) : 0.0;
  if (SUMS == screen_sums_first_halves) {
    // Of a row the second halves are missed, and sums of |products| are no more than the norms' product.
    third = norm;
    residual += 1.001 * half_sum_rounding * half_sum_weight(p.dimensions, 0u) * norm;
  }
  bounds.values[0] = vec4(norm * up, residual * up, third * up, certifiable ? 1.0 : 0.0);
  bounds.values[1] = slacks;
}

void write_row_bounds(uint tile, uint row, bool exists, Norms norms) {
  const uint thread = gl_LocalInvocationID.x;
  if (thread < 5u) largest[thread] = 0u;
  barrier();
  float bias = -infinity;
  if (exists && finite()) {
    const uint depth = p.dimensions * (SPLIT != 0u ? 3u : 1u);
    const float kappa = product_rounding(depth);
    bias = INNER_PRODUCT ? 0.0 : -0.5 * norms.squared;
    atomicMax(largest[0], floatBitsToUint(residual_norm(norms) + kappa * root(norms.product)));
    atomicMax(largest[1], floatBitsToUint(root(norms.squared)));
    atomicMax(largest[2], floatBitsToUint((SPLIT != 0u ? 1.0 : half_sum_rounding) * root(norms.low)));
    // The second is for sums that are subnormal halves.
    const float rounding = abs((kappa + two_to_minus_20) * bias) + (INNER_PRODUCT ? 0.0 : two_to_minus_22);
    atomicMax(largest[3], floatBitsToUint(rounding));
    atomicMax(largest[4], floatBitsToUint(root(norms.unshifted) * norm_rounding(p.dimensions)));
  } else if (exists && !has_nan()) {
    atomicMax(largest[4], 0x7F800000u);
  }
  FloatsOut(advance(p.biases, row, 4u)).values[0] = bias;
  barrier();
  if (thread != 0u) return;
  Float4sOut(advance(p.bounds, tile, 16u)).values[0] =
      vec4(uintBitsToFloat(largest[0]), uintBitsToFloat(largest[1]), uintBitsToFloat(largest[2]),
           uintBitsToFloat(largest[3])) * norm_rounding(p.dimensions);
  atomicMax(Uints(p.frame).values[1], largest[4]);
}

uvec4 split_halves(uint chunk, bool exists) {
  float halves[8];
  [[unroll]] for (uint j = 0u; j < 8u; ++j) halves[j] = exists ? split_half_at(8u * chunk + j) : 0.0;
  return packed_halves(halves);
}

// Brings together what the invocations of a query have found.
void combine_norms() {
  const vec4 sums = team_sum(vec4(norms.squared, norms.product, norms.low, norms.residual));
  norms.squared = sums.x;
  norms.product = sums.y;
  norms.low = sums.z;
  norms.residual = sums.w;
  norms.largest = team_largest(norms.largest);
}

void pack_query(uint tile, Uint4sOut operand, uint chunks) {
  const uint in_tile = team_query();
  const uint query = tile * tile_rows + in_tile;
  const bool exists = query < p.rows.count;
  values = FloatsIn(advance(tile_address(p.rows, tile), exists ? in_tile : 0u, 4u * p.rows.row_stride));
  // Of split halves the sums come first, as they say whether there are any.
  for (uint chunk = team_lane(); chunk < chunks; chunk += team_size) {
    const uvec4 halves = exists && 8u * chunk < p.dimensions ? add_eight(8u * chunk) : uvec4(0u);
    if (SPLIT == 0u) operand.values[operand_chunk(in_tile, chunk)] = halves;
  }
  combine_norms();
  for (uint chunk = team_lane(); chunk < chunks; chunk += team_size)
    if (SPLIT != 0u)
      operand.values[operand_chunk(in_tile, chunk)] = split_halves(chunk, exists);
    else if (!finite())
      operand.values[operand_chunk(in_tile, chunk)] = uvec4(0u);
  if (exists && team_lane() == 0u) write_query_bounds(query, norms);
}

void pack_row(uint tile, Uint4sOut operand, uint chunks) {
  const uint thread = gl_LocalInvocationID.x;
  const uint row = tile * tile_rows + thread;
  const bool exists = row < p.rows.count;
  values = FloatsIn(advance(tile_address(p.rows, tile), thread, 4u * p.rows.row_stride));
  if (SPLIT != 0u) {
    if (exists)
      for (uint first = 0u; first < p.dimensions; first += 8u) add_eight(first);
    for (uint chunk = 0u; chunk < chunks; ++chunk)
      operand.values[operand_chunk(thread, chunk)] = split_halves(chunk, exists);
  } else {
    for (uint first = 0u; first < chunks; first += staged_chunks) {
      for (uint i = 0u; i < staged_chunks; ++i) {
        const uint chunk = first + i;
        staged[staged_chunks * thread + staged_at(thread, i)] =
            exists && 8u * chunk < p.dimensions ? add_eight(8u * chunk) : uvec4(0u);
      }
      barrier();
      [[unroll]] for (uint i = 0u; i < staged_chunks; ++i) {
        const uint at = i * tile_rows + thread;
        const uint of = at / staged_chunks;
        operand.values[operand_chunk(of, first + staged_at(of, at % staged_chunks))] = staged[at];
      }
      barrier();
    }
    memoryBarrierBuffer();
    barrier();
    if (!finite()) {
      memoryBarrierBuffer();
      for (uint chunk = 0u; chunk < chunks; ++chunk) operand.values[operand_chunk(thread, chunk)] = uvec4(0u);
    }
  }
  write_row_bounds(tile, row, exists, norms);
}

void main() {
  const uint tile = p.first_tile + gl_WorkGroupID.x;
  frame = FloatsIn(p.frame);
  scale = frame.values[0];
  Uint4sOut operand = Uint4sOut(operand_tile(p.packed, tile, p.depth_blocks));
  if (QUERIES != 0u) {
    zero_words(p.zeroed, p.zeroed_words);
    pack_query(tile, operand, 8u * p.depth_blocks);
  } else {
    pack_row(tile, operand, 8u * p.depth_blocks);
  }
}
