#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/scan_select.h"
PROXEL_SCAN_SELECT_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "after.glsl"
#include "counted.glsl"

const bool RUNS = (ACCESS & scan_reads_fours) != 0u;
const bool FILTERED = (ACCESS & scan_filters) != 0u;
#include "merge.glsl"
#include "row_distance.glsl"
#include "decode.glsl"
#include "filter.glsl"

layout(push_constant, std430) uniform Push { ScanSelectParameters p; };

// Rows of a step, and how many of them each invocation takes: four or two.
const uint step_rows = scan_tiles_per_step * tile_rows;
const uint rows_per_invocation = step_rows / WORKGROUP_SIZE;

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Float2sIn { vec2 values[]; };

FloatsIn query;
uvec2 filter_words;  // where FILTERED

// Distances of `width` neighbouring rows of a tile, the lane-th such run. As
// many loads as `together` says are in flight before the first is used.
#define PROXEL_RUN_DISTANCE(type, width, together, Reader)                             \
  void run_distance(uint tile, uint lane, out type s) {                                \
    Reader values = Reader(tile_address(p.rows, tile));                                \
    const uint stride = p.rows.dimension_stride / width;                               \
    s = type(0.0);                                                                     \
    uint i = 0u;                                                                       \
    uint at = lane;                                                                    \
    for (; i + together <= p.dimensions; i += together) {                              \
      type r[together];                                                                \
      [[unroll]] for (uint j = 0u; j < together; ++j)                                  \
        r[j] = values.values[at + j * stride];                                         \
      [[unroll]] for (uint j = 0u; j < together; ++j)                                  \
        s = canonical_step(s, type(query.values[i + j]), r[j]);                        \
      at += together * stride;                                                         \
    }                                                                                  \
    if (i == p.dimensions) return;                                                     \
    /* The rest too is asked for at once; what is past the last is asked twice. */     \
    type rest[together];                                                               \
    [[unroll]] for (uint j = 0u; j < together; ++j)                                    \
      rest[j] = values.values[lane + min(i + j, p.dimensions - 1u) * stride];          \
    [[unroll]] for (uint j = 0u; j < together; ++j)                                    \
      if (i + j < p.dimensions) s = canonical_step(s, type(query.values[i + j]), rest[j]); \
  }
PROXEL_RUN_DISTANCE(vec4, 4u, 8u, Float4sIn)
PROXEL_RUN_DISTANCE(vec2, 2u, 16u, Float2sIn)

// Distances of this invocation's run of rows of a tile.
vec4 distances_of_run(uint tile, uint lane) {
  vec4 s = vec4(0.0);
  if (rows_per_invocation == 4u) {
    run_distance(tile, lane, s);
  } else {
    vec2 two;
    run_distance(tile, lane, two);
    s.xy = two;
  }
  return s;
}

float distance_of_one(uint row) { return row_distance(p.rows, row, query, p.dimensions); }

uvec2 candidate(float s, uint row, uvec2 after, bool continues) {
  if (row >= p.rows.count) return no_row;
  const uvec2 key = uvec2(sum_key(s), p.first_index + row);
  return continues && !key_less(after, key) ? no_row : key;
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  if (past_counted(p.counted, gl_WorkGroupID.y, p.queries)) return;
  query = FloatsIn(advance_elements(p.queries, gl_WorkGroupID.y, p.query_stride));
  const bool continues = !is_null(p.after);
  const uvec2 after = key_after(p.after, gl_WorkGroupID.y, p.after_stride, p.lists);

  if (FILTERED) filter_words = filter_of_query(p.filter_bits, gl_WorkGroupID.y, p.filter_stride);

  select_begin(p.k);
  const uint tiles = (p.rows.count - 1u) / tile_rows + 1u;
  const uint steps = (tiles - 1u) / scan_tiles_per_step + 1u;
  for (uint step = gl_WorkGroupID.x; step < steps; step += p.groups) {
    uvec2 keys[4] = uvec2[4](no_row, no_row, no_row, no_row);
    if (RUNS) {
      const uint row = step * step_rows + thread * rows_per_invocation;
      const uint tile = row / tile_rows;
      vec4 s = vec4(0.0);
      uint allowed = (1u << rows_per_invocation) - 1u;
      if (FILTERED && row < p.rows.count)
        allowed &= four_rows_allowed(filter_words, p.first_index + row,
                                     p.first_index + p.rows.count - 1u);
      // A run of which no row may be returned is not read.
      const bool wanted = tile < tiles && allowed != 0u;
      // The last tile of a tiled database is whole; a column ends where its
      // rows end, and what would follow its last need not exist.
      const bool whole_tiles = p.rows.tile_stride != tile_rows;
      if (wanted && (whole_tiles || row + rows_per_invocation <= p.rows.count)) {
        s = distances_of_run(tile, (row % tile_rows) / rows_per_invocation);
      } else if (wanted) {
        for (uint j = 0u; row + j < p.rows.count && j < rows_per_invocation; ++j)
          s[j] = distance_of_one(row + j);
      }
      [[unroll]] for (uint j = 0u; j < 4u; ++j)
        if (wanted && (allowed & (1u << j)) != 0u)
          keys[j] = candidate(s[j], row + j, after, continues);
    } else {
      [[unroll]] for (uint j = 0u; j < 4u; ++j) {
        const uint row = step * step_rows + j * WORKGROUP_SIZE + thread;
        if (j < rows_per_invocation && row < p.rows.count &&
            (!FILTERED || row_allowed(filter_words, p.first_index + row)))
          keys[j] = candidate(distance_of_one(row), row, after, continues);
      }
    }
    select_offer(keys);
  }
  select_finish();

  CoherentKeys list = CoherentKeys(
      advance(p.lists, gl_WorkGroupID.y * p.groups + gl_WorkGroupID.x, 8u * p.k));
  for (uint i = thread; i < p.k; i += WORKGROUP_SIZE) list.values[i] = pool[i].yx;
  if (is_null(p.tickets)) return;

  // The last of the query's workgroups merges its lists.
  if (!arrives_last(p.tickets, gl_WorkGroupID.y, p.groups)) return;
  merge_lists(p.lists, gl_WorkGroupID.y * p.groups, p.groups, p.k);
  UintsOut indices = UintsOut(advance_elements(p.indices, gl_WorkGroupID.y, p.k));
  FloatsOut distances = FloatsOut(advance_elements(p.distances, gl_WorkGroupID.y, p.k));
  for (uint i = thread; i < p.k; i += WORKGROUP_SIZE) {
    indices.values[i] = pool[i].y;
    distances.values[i] = decoded_distance(pool[i], LARGEST_FIRST, p.finish);
  }
}
