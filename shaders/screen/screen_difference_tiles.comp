#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#include "proxel/passes/screen_difference_tiles.h"
#define PROXEL_SCREEN_CONSTANTS PROXEL_SCREEN_DIFFERENCE_TILES_CONSTANTS
#include "screen_lists.glsl"
#include "workgroup.glsl"

// A square of 16 x 16 invocations has 128 queries and half a tile of rows, 8 x 4 of them each in registers. Codes become halves, two in
// a register: integers up to 2,048 are exact.
const uint width = 16u;
const uint threads = width * width;
const uint own_queries = 8u, own_rows = 4u, pairs = own_queries * own_rows;
const uint half_rows = tile_rows / 2u;
// Words of a row at a time, and pairs of codes that they are. The next ones travel in registers while these are compared.
const uint slice_words = 4u, steps = 2u * slice_words;
// One vector of padding keeps transposing stores apart.
const uint query_pitch = tile_rows / 4u + 1u, row_pitch = half_rows / 4u + 1u;
shared uvec4 query_slice[steps * query_pitch];
shared uvec4 row_slice[steps * row_pitch];

// Of each query, collecting the largest sum that is wanted, -1: none; sampling the bits of what its scores err by. And what a sum is
// multiplied by.
shared int asked[tile_rows];
shared float factors[tile_rows];
// Sampling: the least sum of each query and column.
shared int least_of_columns[COLLECTS == 0u ? tile_rows * width : 1u];
const int nothing = 1 << 30;

// Sums are of two lanes. By l1 they are integers of 16 bits, as long as sums fit these, and else of 32; by linf halves.
uint sums[pairs];
const bool ADDS = METRIC == 0u;
const uint most_packed_words = 128u;

uint column() { return gl_LocalInvocationID.x % width; }
uint line() { return gl_LocalInvocationID.x / width; }
uint query_of(uint j) { return j / 4u * (tile_rows / 2u) + 4u * line() + j % 4u; }

uint next_queries[2], next_row;
// Of rows an invocation has a word, of queries two words of one. Words that are not there are 0 for both.
void fetch(uint first_query, uint tile, uint half_tile, uint first_word) {
  const uint thread = gl_LocalInvocationID.x;
  const uint row_word = first_word + thread / half_rows;
  next_row = 0u;
  if (row_word < p.depth_steps)
    next_row = UintsIn(advance(advance_elements(p.rows, tile, p.depth_steps * tile_rows), row_word, 4u * tile_rows))
                   .values[half_tile * half_rows + thread % half_rows];
  UintsIn query = UintsIn(advance_elements(p.queries, min(first_query + thread / 2u, query_count - 1u), p.depth_steps));
  [[unroll]] for (uint i = 0u; i < 2u; ++i) {
    const uint word = first_word + thread % 2u * 2u + i;
    next_queries[i] = 0u;
    if (word < p.depth_steps) next_queries[i] = query.values[word];
  }
}
// The first two codes of a word, or the others, each with 1,024 as a half, which differences do without.
uint halves_of(uint word, uint i) {
  const uint two = i == 0u ? word : word >> 16u;
  return (two & 0xFFu) | (two & 0xFF00u) << 8u | 0x64006400u;
}
void store() {
  const uint thread = gl_LocalInvocationID.x;
  const uint row = thread % half_rows, query = thread / 2u;
  [[unroll]] for (uint i = 0u; i < 2u; ++i) {
    row_slice[(thread / half_rows * 2u + i) * row_pitch + row / 4u][row % 4u] = halves_of(next_row, i);
    [[unroll]] for (uint j = 0u; j < 2u; ++j)
      query_slice[((thread % 2u * 2u + j) * 2u + i) * query_pitch + query / 4u][query % 4u] = halves_of(next_queries[j], i);
  }
}

f16vec2 differences(uint query, uint row) { return abs(unpackFloat2x16(query) - unpackFloat2x16(row)); }

// Two words, which are four steps: by l1 sums of as many differences and 1,024 are below 2,048, and their last ten bits an integer.
void compare(uint first_step) {
  f16vec2 some[pairs];
  [[unroll]] for (uint step = 0u; step < 4u; ++step) {
    uvec4 q[2];
    [[unroll]] for (uint h = 0u; h < 2u; ++h) q[h] = query_slice[(first_step + step) * query_pitch + h * (tile_rows / 8u) + line()];
    const uvec4 r = row_slice[(first_step + step) * row_pitch + column()];
    [[unroll]] for (uint i = 0u; i < pairs; ++i) {
      const f16vec2 now = differences(q[i / 16u][i / 4u % 4u], r[i % 4u]);
      if (ADDS)
        some[i] = (step == 0u ? f16vec2(1024.0) : some[i]) + now;
      else
        some[i] = step == 0u ? max(unpackFloat2x16(sums[i]), now) : max(some[i], now);
    }
  }
  if (!ADDS) {
    [[unroll]] for (uint i = 0u; i < pairs; ++i) sums[i] = packFloat2x16(some[i]);
  } else if (p.depth_steps <= most_packed_words) {
    [[unroll]] for (uint i = 0u; i < pairs; ++i) sums[i] += packFloat2x16(some[i]) - 0x64006400u;
  } else {
    [[unroll]] for (uint i = 0u; i < pairs; ++i) {
      const uint both = packFloat2x16(some[i]) - 0x64006400u;
      sums[i] += (both & 0xFFFFu) + (both >> 16u);
    }
  }
}
int sum_of(uint i) {
  if (!ADDS) {
    const f16vec2 lanes = unpackFloat2x16(sums[i]);
    return int(float(max(lanes.x, lanes.y)));
  }
  return int(p.depth_steps <= most_packed_words ? (sums[i] & 0xFFFFu) + (sums[i] >> 16u) : sums[i]);
}

void compare_half_tile(uint first_query, uint tile, uint half_tile) {
  [[unroll]] for (uint i = 0u; i < pairs; ++i) sums[i] = 0u;
  fetch(first_query, tile, half_tile, 0u);
  for (uint word = 0u; word < p.depth_steps; word += slice_words) {
    barrier();
    store();
    barrier();
    if (word + slice_words < p.depth_steps) fetch(first_query, tile, half_tile, word + slice_words);
    [[unroll]] for (uint chain = 0u; chain < steps / 4u; ++chain)
      if (word + 2u * chain < p.depth_steps) compare(4u * chain);
  }
}

// The largest sum whose score is at least what is asked, or a little more.
int largest_wanted(float factor, float least) {
  if (!(least <= 0.0)) return -1;
  if (!(factor < 0.0)) return nothing - 1;
  // Sums are less than 2^24, and the quotient is a little beside the bound.
  int sum = int(min(least / factor, 16777216.0)) + 2;
  for (uint i = 0u; i < 4u; ++i) {
    precise float score = factor * float(sum);
    if (score >= least) break;
    --sum;
  }
  return sum;
}

void ask(uint query, Asker asker, uint tile) {
  const float error = error_of_tile(asker, tile);
  // Nothing is wanted where the threshold is infinite, whatever the error.
  if (COLLECTS == 0u)
    asked[query] = floatBitsToInt(error);
  else
    asked[query] = is_finite(asker.threshold) ? largest_wanted(asker.error.z, asker.threshold - error) : -1;
}

// Which of four neighbours among the rows of a tile can be found at all: a row that is not screened has no finite bias.
uint four_screened(uint tile, uint first_row) {
  const vec4 biases = Float4sIn(advance(p.biases, tile, 4u * tile_rows)).values[first_row / 4u];
  uint screened = 0u;
  [[unroll]] for (uint i = 0u; i < own_rows; ++i) screened |= uint(is_finite(biases[i])) << i;
  return screened;
}

// One of an invocation's sums. An array that is indexed by a variable would be moved out of registers.
int one_of_sums(uint number) {
  int left[pairs / 2u];
  [[unroll]] for (uint i = 0u; i < pairs / 2u; ++i) left[i] = mix(sum_of(2u * i), sum_of(2u * i + 1u), (number & 1u) != 0u);
  [[unroll]] for (uint i = 0u; i < 8u; ++i) left[i] = mix(left[2u * i], left[2u * i + 1u], (number & 2u) != 0u);
  [[unroll]] for (uint i = 0u; i < 4u; ++i) left[i] = mix(left[2u * i], left[2u * i + 1u], (number & 4u) != 0u);
  [[unroll]] for (uint i = 0u; i < 2u; ++i) left[i] = mix(left[2u * i], left[2u * i + 1u], (number & 8u) != 0u);
  return mix(left[0], left[1], (number & 16u) != 0u);
}

float score_of(uint query, int sum) {
  precise float score = factors[query] * float(sum);
  return score;
}

void collect_rows(uint first_query, uint tile, uint half_tile) {
  const uint first_row = half_tile * half_rows + own_rows * column();
  uint passing = 0u;
  [[unroll]] for (uint j = 0u; j < own_queries; ++j) {
    const int most = asked[query_of(j)];
    [[unroll]] for (uint r = 0u; r < own_rows; ++r) passing |= uint(sum_of(own_rows * j + r) <= most) << (own_rows * j + r);
  }
  if (passing == 0u) return;
  passing &= four_screened(tile, first_row) * 0x11111111u;
  [[dont_unroll]] while (passing != 0u) {
    const uint number = findLSB(passing);
    passing &= passing - 1u;
    const uint in_tile = query_of(number / own_rows), row = tile * tile_rows + first_row + number % own_rows;
    if (FILTERED && (rows_allowed(first_query + in_tile, row / 32u) >> row % 32u & 1u) == 0u) continue;
    collect(first_query, in_tile, score_of(in_tile, one_of_sums(number)), row);
  }
}

void sample_rows(uint first_query, uint own, uint half_tile) {
  const uint tile = tile_number(own), first_row = half_tile * half_rows + own_rows * column();
  const uint screened = four_screened(tile, first_row);
  const uint groups = GROUPS_PER_TILE / 2u;
  [[unroll]] for (uint j = 0u; j < own_queries; ++j) {
    const uint query = query_of(j);
    uint taken = screened;
    if (FILTERED) taken &= rows_allowed(first_query + query, (tile * tile_rows + first_row) / 32u) >> first_row % 32u;
    int sum[own_rows];
    [[unroll]] for (uint r = 0u; r < own_rows; ++r) sum[r] = mix(nothing, sum_of(own_rows * j + r), (taken >> r & 1u) != 0u);
    const int low = min(sum[0], sum[1]), high = min(sum[2], sum[3]);
    least_of_columns[query * width + column()] = min(low, high);
    if (GROUPS_PER_TILE != 64u || first_query + query >= query_count) continue;
    FloatsOut bounds = FloatsOut(advance(groups_of(first_query + query, own), half_tile * groups + 2u * column(), 4u));
    const float error = intBitsToFloat(asked[query]);
    bounds.values[0] = mix(score_of(query, low) - error, -infinity, low == nothing);
    bounds.values[1] = mix(score_of(query, high) - error, -infinity, high == nothing);
  }
  if (GROUPS_PER_TILE == 64u) return;
  barrier();
  const uint columns = width / groups;
  for (uint item = gl_LocalInvocationID.x; item < tile_rows * groups; item += threads) {
    const uint query = item / groups, group = item % groups;
    if (first_query + query >= query_count) break;
    int least = nothing;
    for (uint i = 0u; i < columns; ++i) least = min(least, least_of_columns[query * width + group * columns + i]);
    FloatsOut(advance(groups_of(first_query + query, own), half_tile * groups + group, 4u)).values[0] =
        mix(score_of(query, least) - intBitsToFloat(asked[query]), -infinity, least == nothing);
  }
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint first_query = tile_rows * gl_WorkGroupID.y;
  count_queries();
  if (first_query >= query_count) return;
  Asker asker;
  if (thread < tile_rows) {
    asker = asker_of(first_query + thread);
    factors[thread] = asker.error.z;
    begin_lists(first_query, thread);
  }
  const uint count = own_tiles();
  for (uint i = 0u; i < count; ++i) {
    const uint own = own_tile(i), tile = tile_number(own);
    barrier();
    if (thread < tile_rows) ask(thread, asker, tile);
    for (uint half_tile = 0u; half_tile < 2u; ++half_tile) {
      compare_half_tile(first_query, tile, half_tile);
      if (COLLECTS != 0u)
        collect_rows(first_query, tile, half_tile);
      else
        sample_rows(first_query, own, half_tile);
    }
  }
  barrier();
  if (thread < tile_rows) end_lists(first_query, thread);
}
