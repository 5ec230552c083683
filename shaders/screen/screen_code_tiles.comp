#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/screen_code_tiles.h"
PROXEL_SCREEN_CODE_TILES_CONSTANTS(PROXEL_SPECIALISED)
#include "workgroup.glsl"
#include "screen_bounds.glsl"
#include "selected.glsl"

layout(push_constant, std430) uniform Push { ScreenCodeTilesParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Uints { uint values[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer Found { uvec2 values[]; };

// 32 invocations take a tile, each four of its rows, whose codes it reads 16 bytes at a time.
const uint invocations_per_tile = 32u;
const uint tiles_together = WORKGROUP_SIZE / invocations_per_tile;
// Words whose reads are in flight together. Several queries compute while others wait, and more words take a compiler long.
const uint ahead = TOGETHER == 1u ? 8u : 2u;

// The best score of each invocation's rows.
shared float best[WORKGROUP_SIZE];

// The four codes of a word: with a sign of products, without one of differences.
ivec4 codes_of(uint word) {
  if (METRIC == 1u || METRIC == 3u) {
    const int bits = int(word);
    return ivec4(bitfieldExtract(bits, 0, 8), bitfieldExtract(bits, 8, 8), bitfieldExtract(bits, 16, 8), bits >> 24);
  }
  return ivec4(word & 0xFFu, bitfieldExtract(word, 8, 8), bitfieldExtract(word, 16, 8), word >> 24);
}

int add_word(int sum, ivec4 query, ivec4 row) {
  if (METRIC == 1u || METRIC == 3u) {
    const ivec4 products = query * row;
    return sum + (products.x + products.y) + (products.z + products.w);
  }
  const ivec4 differences = abs(query - row);
  if (METRIC == 0u) return sum + (differences.x + differences.y) + (differences.z + differences.w);
  return max(max(sum, max(differences.x, differences.y)), max(differences.z, differences.w));
}

void collect(uint query, float score, uint row) {
  const uint slot = atomicAdd(Uints(advance(p.counts, query, 4u)).values[0], 1u);
  if (slot < p.capacity)
    Found(advance_keys(p.found, query, p.capacity)).values[slot] = uvec2(floatBitsToUint(score), p.first_index + row);
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint lane = thread % invocations_per_tile;
  const uint query_count = selected_count(p.selected, p.first_selected, p.query_count, p.queries);
  const uint first_query = gl_WorkGroupID.y * TOGETHER;
  if (first_query >= query_count) return;
  const uint there = min(TOGETHER, query_count - first_query);
  const uint stride = gl_NumWorkGroups.x * tiles_together;

  for (uint first = gl_WorkGroupID.x * tiles_together; first < p.tile_count; first += stride) {
    // Past the last tile the last is taken again, and nothing of it written.
    const uint own = min(first + thread / invocations_per_tile, p.tile_count - 1u);
    const bool exists = own == first + thread / invocations_per_tile;
    const uint tile = p.first_tile + p.tile_step * own;
    Uint4sIn rows = Uint4sIn(advance(advance_elements(p.rows, tile, p.words * tile_rows), lane, 16u));
    ivec4 sums[TOGETHER];
    for (uint j = 0u; j < TOGETHER; ++j) sums[j] = ivec4(0);
    for (uint word = 0u; word < p.words; word += ahead) {
      uvec4 codes[ahead];
      [[unroll]] for (uint i = 0u; i < ahead; ++i)
        codes[i] = rows.values[min(word + i, p.words - 1u) * invocations_per_tile];
      [[unroll]] for (uint i = 0u; i < ahead; ++i) {
        if (word + i >= p.words) continue;
        const ivec4 row0 = codes_of(codes[i].x), row1 = codes_of(codes[i].y);
        const ivec4 row2 = codes_of(codes[i].z), row3 = codes_of(codes[i].w);
        [[unroll]] for (uint j = 0u; j < TOGETHER; ++j) {
          // Queries that are not there are as the last.
          const uint query = first_query + min(j, there - 1u);
          const ivec4 asked = codes_of(UintsIn(advance_elements(p.queries, query, p.words)).values[word + i]);
          sums[j].x = add_word(sums[j].x, asked, row0);
          sums[j].y = add_word(sums[j].y, asked, row1);
          sums[j].z = add_word(sums[j].z, asked, row2);
          sums[j].w = add_word(sums[j].w, asked, row3);
        }
      }
    }
    const vec4 tile_bounds = Float4sIn(advance(p.row_bounds, tile, 16u)).values[0];
    for (uint j = 0u; j < there; ++j) {
      const uint query = first_query + j;
      const vec4 bounds = Float4sIn(advance(p.query_bounds, query, 32u)).values[0];
      const float error = score_error(bounds, tile_bounds);
      const vec4 biases = Float4sIn(advance(p.biases, query * p.bias_stride + tile, 4u * tile_rows)).values[lane];
      precise vec4 scores = bounds.z * vec4(sums[j]);
      scores = scores + biases;
      if (COLLECTS != 0u) {
        const float threshold = FloatsIn(advance(p.thresholds, query, 4u)).values[0];
        // Infinity where nothing is wanted, whatever the error; never minus infinity, the score of rows that are not
        // screened.
        const float least = is_finite(threshold) ? max(threshold - error, -largest_float) : infinity;
        [[unroll]] for (uint i = 0u; i < 4u; ++i)
          if (exists && scores[i] >= least) collect(query, scores[i], tile * tile_rows + 4u * lane + i);
        continue;
      }
      FloatsOut groups = FloatsOut(advance(advance_elements(p.found, query, p.groups), own, 4u * p.groups_per_tile));
      const float low = max(scores.x, scores.y), high = max(scores.z, scores.w);
      if (p.groups_per_tile == 64u) {
        if (exists) {
          groups.values[2u * lane] = low - error;
          groups.values[2u * lane + 1u] = high - error;
        }
        continue;
      }
      best[thread] = max(low, high);
      barrier();
      const uint sharers = invocations_per_tile / p.groups_per_tile;
      if (exists && lane % sharers == 0u) {
        float of_group = best[thread];
        for (uint i = 1u; i < sharers; ++i) of_group = max(of_group, best[thread + i]);
        groups.values[lane / sharers] = of_group - error;
      }
      barrier();
    }
  }
}
