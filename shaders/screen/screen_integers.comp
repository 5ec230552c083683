#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/screen_integers.h"
PROXEL_SCREEN_INTEGERS_CONSTANTS(PROXEL_SPECIALISED)
#include "screen_operand.glsl"
#include "query_team.glsl"
#include "screen_bounds.glsl"

const bool INNER_PRODUCT = METRIC == 3u;

layout(push_constant, std430) uniform Push { ScreenIntegersParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Uints { uint values[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer IntsOut { int values[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Float4sOut { vec4 values[]; };

FloatsIn values;  // of this row
const uint together = 16u;

// Of the row's values less the origin.
struct Sums {
  int sum, squares;
  float unshifted;  // of the squares of the values themselves
  bool integers;
};
Sums sums = Sums(0, 0, 0.0, true);

uint add(float value) {
  // Asked of the value itself, because a difference may round to an integer; and of its bits, because a device may take what is
  // below 2^-126 for 0. False of NaN as well.
  const float origin = float(p.origin);
  const bool whole = trunc(value) == value && (abs(value) >= 1.0 || floatBitsToUint(value) << 1u == 0u);
  const bool integer = whole && value >= origin - 128.0 && value <= origin + 127.0;
  sums.integers = sums.integers && integer;
  const int code = integer ? int(value) - int(p.origin) : 0;
  sums.sum += code;
  sums.squares += code * code;
  sums.unshifted += value * value;
  return uint(code) & 0xFFu;
}

void write_query_bounds(uint query) {
  Float4sOut bounds = Float4sOut(advance(p.bounds, query, 32u));
  bounds.values[0] = vec4(0.0, 0.0, 0.0, sums.integers ? 1.0 : 0.0);
  const float gamma = p.dimensions <= screen_exact_distances ? 0.0 : canonical_rounding(p.dimensions);
  const float up = norm_rounding(p.dimensions);
  vec4 slacks = vec4(0.0);
  if (sums.integers && INNER_PRODUCT)
    slacks.z = 2.02 * gamma * sqrt(sums.unshifted) * 255.0 * sqrt(float(p.dimensions)) * up;
  else if (sums.integers)
    slacks.xy = vec2(0.5 * float(sums.squares) * up, 2.1 * gamma * up);
  bounds.values[1] = slacks;
}

// Adds sixteen values, or as many as there are. Returns them packed.
uvec4 add_chunk(uint chunk, bool exists) {
  uvec4 words = uvec4(0u);
  if (!exists) return words;
  [[unroll]] for (uint i = 0u; i < together; ++i) {
    const uint dimension = together * chunk + i;
    if (dimension < p.dimensions)
      words[i / 4u] |= add(values.values[dimension * p.rows.dimension_stride]) << (8u * (i % 4u));
  }
  return words;
}

void pack_query(uint tile, Uint4sOut operand, uint chunks) {
  const uint in_tile = team_query();
  const uint query = tile * tile_rows + in_tile;
  const bool exists = query < p.rows.count;
  values = FloatsIn(advance(tile_address(p.rows, tile), exists ? in_tile : 0u, 4u * p.rows.row_stride));
  for (uint chunk = team_lane(); chunk < chunks; chunk += team_size)
    operand.values[operand_chunk(in_tile, chunk)] = add_chunk(chunk, exists);
  // Squares add up to 2^24 at most: exact in binary32.
  const vec4 all = team_sum(vec4(float(sums.squares), sums.unshifted, sums.integers ? 0.0 : 1.0, 0.0));
  sums.squares = int(all.x);
  sums.unshifted = all.y;
  sums.integers = all.z == 0.0;
  if (!exists) return;
  if (!sums.integers)
    for (uint chunk = team_lane(); chunk < chunks; chunk += team_size)
      operand.values[operand_chunk(in_tile, chunk)] = uvec4(0u);
  if (team_lane() == 0u) write_query_bounds(query);
}

void pack_row(uint tile, Uint4sOut operand, uint chunks) {
  const uint thread = gl_LocalInvocationID.x;
  const uint row = tile * tile_rows + thread;
  const bool exists = row < p.rows.count;
  values = FloatsIn(advance(tile_address(p.rows, tile), thread, 4u * p.rows.row_stride));
  for (uint chunk = 0u; chunk < chunks; ++chunk)
    operand.values[operand_chunk(thread, chunk)] = add_chunk(chunk, exists);
  const bool usable = exists && sums.integers;
  if (exists && !usable)
    for (uint chunk = 0u; chunk < chunks; ++chunk) operand.values[operand_chunk(thread, chunk)] = uvec4(0u);
  const int bias = INNER_PRODUCT ? int(p.origin) * sums.sum : -((sums.squares + 1) / 2);
  IntsOut(advance(p.biases, row, 4u)).values[0] = usable ? bias : int(screen_integer_nothing);
  if (exists && !usable) atomicAdd(Uints(p.others).values[0], 1u);
  if (thread != 0u) return;
  const float rounding = p.dimensions <= screen_exact_scores ? 0.0 : float(p.dimensions) / 256.0;
  Float4sOut(advance(p.bounds, tile, 16u)).values[0] = vec4(0.0, 0.0, 0.0, (INNER_PRODUCT ? 0.0 : 0.5) + rounding);
}

void main() {
  const uint tile = p.first_tile + gl_WorkGroupID.x;
  Uint4sOut operand = Uint4sOut(operand_tile(p.packed, tile, p.depth_blocks));
  const uint chunks = p.depth_blocks * (screen_block_integers / together);
  if (QUERIES != 0u) {
    zero_words(p.zeroed, p.zeroed_words);
    pack_query(tile, operand, chunks);
  } else {
    pack_row(tile, operand, chunks);
  }
}
