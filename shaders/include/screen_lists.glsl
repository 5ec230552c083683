// What the kernels of screen_tiles do around their products: which tiles a
// workgroup takes, what it asks of a score, and the lists of what it collects.
// Invocation i keeps the list of query i. A pass with constants of its own defines PROXEL_SCREEN_CONSTANTS before.
#ifndef PROXEL_SCREEN_LISTS_GLSL
#define PROXEL_SCREEN_LISTS_GLSL
#include "screen_operand.glsl"
#include "screen_bounds.glsl"
#include "selected.glsl"
#include "proxel/passes/screen_pack.h"
#include "proxel/passes/screen_tiles.h"

#ifndef PROXEL_SCREEN_CONSTANTS
#define PROXEL_SCREEN_CONSTANTS PROXEL_SCREEN_TILES_CONSTANTS
#endif
PROXEL_SCREEN_CONSTANTS(PROXEL_SPECIALISED)
layout(push_constant, std430) uniform Push { ScreenTilesParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Uints { uint values[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer Found { uvec2 values[]; };

// Queries that are there.
uint query_count;
void count_queries() { query_count = selected_count(p.selected, p.first_selected, p.query_count, p.queries); }

// Entries in each query's list of this workgroup, and where it lies.
shared uint list_counts[tile_rows];
shared uvec2 lists[tile_rows];

// Tiles come in pairs: how many this workgroup takes, and the number of each.
uint own_tiles() {
  const uint pairs = p.tile_count / 2u;
  const uint own_pairs = (pairs + p.splits - 1u - gl_WorkGroupID.x) / p.splits;
  const bool has_last = p.tile_count % 2u != 0u && pairs % p.splits == gl_WorkGroupID.x;
  return 2u * own_pairs + (has_last ? 1u : 0u);
}
uint own_tile(uint i) { return 2u * (gl_WorkGroupID.x + i / 2u * p.splits) + i % 2u; }
uint tile_number(uint own) { return p.first_tile + p.tile_step * own; }

// What a query asks of scores, kept by the invocation of its number.
struct Asker {
  vec4 error;  // A, B, C
  float threshold;
};
Asker asker_of(uint query) {
  if (query >= query_count) return Asker(vec4(0.0), infinity);
  const float threshold =
      COLLECTS != 0u ? FloatsIn(advance(p.thresholds, query, 4u)).values[0] : 0.0;
  return Asker(Float4sIn(advance(p.query_bounds, query, 32u)).values[0], threshold);
}
// What scores of a tile err by.
float error_of_tile(Asker asker, uint tile) {
  const vec4 bounds = Float4sIn(advance(p.row_bounds, tile, 16u)).values[0];
#ifdef HALF_SUMS
  // Sums might overflow.
  if (!(asker.error.x * bounds.y < float(screen_half_sum_limit))) return infinity;
#endif
  return score_error(asker.error, bounds);
}

// Which of 32 rows the filter of a query leaves: word w of its words, bit i row 32 w + i. Where the query or the word is
// not there, that of another.
uint rows_allowed(uint query, uint word) {
  const uint words = (p.row_count - 1u) / 32u + 1u;
  return UintsIn(advance_elements(p.filter_bits, min(query, query_count - 1u), words)).values[min(word, words - 1u)];
}

uint list_of(uint query) { return query * p.splits + gl_WorkGroupID.x; }

void begin_lists(uint first_query, uint thread) {
  const uint query = first_query + thread;
  if (COLLECTS == 0u) return;
  list_counts[thread] =
      query < query_count ? Uints(advance(p.counts, list_of(query), 4u)).values[0] : 0u;
  lists[thread] = advance_keys(p.found, list_of(query), p.capacity);
}
// What a workgroup begins with, invocation i for query first_query + i; false where none of its queries is there.
bool begin(uint first_query, out Asker asker) {
  const uint thread = gl_LocalInvocationID.x;
  count_queries();
  if (first_query >= query_count) return false;
  asker = asker_of(first_query + thread);
  begin_lists(first_query, thread);
  return true;
}
void collect(uint first_query, uint in_tile, float score, uint row) {
  const uint slot = atomicAdd(list_counts[in_tile], 1u);
  if (slot < p.capacity)
    Found(lists[in_tile]).values[slot] = uvec2(floatBitsToUint(score), p.first_index + row);
}
void end_lists(uint first_query, uint thread) {
  const uint query = first_query + thread;
  if (COLLECTS != 0u && query < query_count)
    Uints(advance(p.counts, list_of(query), 4u)).values[0] = list_counts[thread];
}

// Address of a query's lower bounds of the groups of a tile.
uvec2 groups_of(uint query, uint own) {
  return advance(advance_elements(p.found, query, p.groups), own, 4u * GROUPS_PER_TILE);
}

#endif
