#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/permutation_distance.h"
PROXEL_PERMUTATION_DISTANCE_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "workgroup.glsl"

layout(push_constant, std430) uniform Push { PermutationDistanceParameters p; };

// Half of a tile's queries at a time, so that their positions fit 16 KiB.
const uint QUERIES = permutation_tile_queries / 2u;

// As numbers of binary32, which have two additions for a permutant (the magnitude is
// free) where bytes of a word have five instructions, on units of which there are twice
// as many. All are whole and below 2^24, so that nothing is ever rounded.
shared float places[4u * (most_permutants / 4u)][QUERIES];

// 2^23 and the byte: without a conversion.
float place_of(uint word, uint i) { return uintBitsToFloat(0x4B000000u | bitfieldExtract(word, int(8u * i), 8)); }

void stage(uint first_query, uint count, uint words) {
  for (uint i = gl_LocalInvocationID.x; i < words * QUERIES; i += WORKGROUP_SIZE) {
    // Past the last query the last again.
    const uint number = p.first_query + first_query + min(i % QUERIES, count - 1u);
    const uint w = i / QUERIES;
    const uint word = UintsIn(advance(p.query_positions, number / permutation_block * words + w,
                                      4u * permutation_block)).values[number % permutation_block];
    [[unroll]] for (uint j = 0u; j < 4u; ++j) places[4u * w + j][i % QUERIES] = place_of(word, j);
  }
  barrier();
}

// Word w of four objects beside each other.
uvec4 words_of(uvec2 positions, uint w) {
  return Uint4sIn(advance(positions, w, 4u * permutation_block)).values[0];
}

// A permutant's places in those.
vec4 places_in(uvec4 words, uint i) {
  return vec4(place_of(words.x, i), place_of(words.y, i), place_of(words.z, i), place_of(words.w, i));
}

void add_differences(uvec2 positions, uint words, uint count, inout vec4 sums[QUERIES]) {
  for (uint w = 0u; w < words; ++w) {
    const uvec4 four = words_of(positions, w);
    // Bytes past the last permutant are 0 in all.
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      const vec4 of_objects = places_in(four, i);
      [[unroll]] for (uint query = 0u; query < QUERIES; ++query) {
        if (query >= count) break;
        const vec4 differences = places[4u * w + i][query] - of_objects;
        sums[query] += DISTANCE == permutation_spearman_rho ? differences * differences : abs(differences);
      }
    }
  }
}

// Loops that can be unrolled, so that few iterations are left: llvmpipe ends a shader's
// loops after 65,535 of them.
void add_discordant(uvec2 positions, inout vec4 sums[QUERIES]) {
  for (uint permutant = 0u; permutant < p.permutants; ++permutant) {
    const vec4 of_permutant = places_in(words_of(positions, permutant / 4u), permutant % 4u);
    for (uint w = 0u; w <= permutant / 4u; ++w) {
      const uvec4 others = words_of(positions, w);
      [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        // No pair is counted twice.
        const float weight = 4u * w + i < permutant ? 1.0 : 0.0;
        const vec4 of_objects = (of_permutant - places_in(others, i)) * weight;
        [[unroll]] for (uint query = 0u; query < QUERIES; ++query) {
          const float of_query = places[permutant][query] - places[4u * w + i][query];
          sums[query] += vec4(lessThan(of_query * of_objects, vec4(0.0)));
        }
      }
    }
  }
}

void put(uint query, uint object, vec4 sums) {
  uvec4 numbers = CONTENT == permutation_binary32 ? floatBitsToUint(sums) : uvec4(sums);
  [[unroll]] for (uint i = 0u; i < 4u; ++i)
    if (object + i >= p.objects) numbers[i] = 0xFFFFFFFFu;
  if (CONTENT != permutation_two_bytes) {
    Uint4sOut(advance(advance_elements(p.distances, query, p.distance_stride), object, 4u)).values[0] = numbers;
    return;
  }
  UintsOut row = UintsOut(advance(advance_elements(p.distances, query, p.distance_stride / 2u), object / 2u, 4u));
  row.values[0] = bitfieldInsert(numbers.x, numbers.y, 16, 16);
  row.values[1] = bitfieldInsert(numbers.z, numbers.w, 16, 16);
}

void main() {
  const uint words = (p.permutants + 3u) / 4u;
  const uint tile_objects = permutation_objects_at_once * WORKGROUP_SIZE;
  const uint tiles = (p.objects - 1u) / tile_objects + 1u;
  const uint end = min((gl_WorkGroupID.y + 1u) * permutation_tile_queries, p.query_count);
  for (uint first_query = gl_WorkGroupID.y * permutation_tile_queries; first_query < end; first_query += QUERIES) {
    const uint count = min(QUERIES, end - first_query);
    barrier();  // those before have been used
    stage(first_query, count, words);
    for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
      const uint object = tile * tile_objects + permutation_objects_at_once * gl_LocalInvocationID.x;
      if (object >= p.objects) continue;
      const uvec2 positions = advance(advance(p.positions, object / permutation_block * words, 4u * permutation_block),
                                      object % permutation_block, 4u);
      vec4 sums[QUERIES];
      [[unroll]] for (uint query = 0u; query < QUERIES; ++query) sums[query] = vec4(0.0);
      if (DISTANCE == permutation_kendall_tau)
        add_discordant(positions, sums);
      else
        add_differences(positions, words, count, sums);
      [[unroll]] for (uint query = 0u; query < QUERIES; ++query)
        if (query < count) put(first_query + query, object, sums[query]);
    }
  }
}
