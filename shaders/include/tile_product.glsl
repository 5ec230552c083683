// The inner loops of the tile passes: a square of WIDTH x WIDTH threads, each
// holding the accumulators of 8 queries x 8 rows in registers, fed from slices
// of 8 dimensions in shared memory.
//
// A thread's rows are two runs of four, half a tile apart, and its queries
// likewise, so that the 16-byte shared loads of neighbouring threads meet
// different banks. Dimensions past the last are staged as zeros, which leave
// every accumulator as it is.
// Included behind the pass's constant WIDTH, and METRIC unless it defines another step.
#ifndef PROXEL_TILE_PRODUCT_GLSL
#define PROXEL_TILE_PRODUCT_GLSL
#include "workgroup.glsl"
#include "order.glsl"

// What a pair of values of a dimension adds to an accumulator; a pass may define another step
// before it includes this file.
#ifndef PROXEL_TILE_STEP
#include "canonical.glsl"
#define PROXEL_TILE_STEP canonical_step_of
#endif

const uint TILE = 8u * WIDTH;
const uint depth = 8u;
// One vec4 of padding keeps the transposing stores of the queries apart.
const uint PITCH = TILE / 4u + 1u;
const uint LOADS = (depth * TILE) / (WIDTH * WIDTH);  // values each thread stages: 64 / WIDTH
const uint most_loads = 8u;

shared vec4 query_slice[depth * PITCH];
shared vec4 row_slice[depth * PITCH];

// accumulators[2 * j + h]: query j of this thread, rows of half h.
vec4 accumulators[16];

// Index within the tile of this thread's query j or row j, j < 8.
uint tile_offset(uint lane, uint j) { return (j / 4u) * (TILE / 2u) + lane * 4u + j % 4u; }

// Which of the queries' rows is meant by a number; a shader may define another.
#ifndef PROXEL_QUERY_NUMBER
#define PROXEL_QUERY_NUMBER(query) (query)
#endif

float load_query(uvec2 queries, uint query_stride, uint query, uint query_count, uint dimension,
                 uint dimensions) {
  if (query >= query_count || dimension >= dimensions) return 0.0;
  return FloatsIn(advance_elements(queries, PROXEL_QUERY_NUMBER(query), query_stride)).values[dimension];
}

float load_row(Rows rows, uint row, uint end, uint dimension, uint dimensions) {
  if (row >= end || dimension >= dimensions) return 0.0;
  return FloatsIn(tile_address(rows, row / tile_rows))
      .values[dimension * rows.dimension_stride + (row % tile_rows) * rows.row_stride];
}

// Accumulates all dimensions of queries first_query … and rows first_row … (below row_end).
void accumulate_tile(Rows rows, uint first_row, uint row_end, uvec2 queries, uint query_stride,
                     uint first_query, uint query_count, uint dimensions) {
  const uint thread = gl_LocalInvocationID.x;
  const uint threads = WIDTH * WIDTH;
  const uint column = thread % WIDTH;
  const uint line = thread / WIDTH;
  [[unroll]] for (uint i = 0u; i < 16u; ++i) accumulators[i] = vec4(0.0);

  float next_query[most_loads], next_row[most_loads];
  for (uint slice = 0u;; slice += depth) {
    // The next slice travels while this one is computed.
    if (slice < dimensions) {
      [[unroll]] for (uint i = 0u; i < LOADS; ++i) {
        const uint item = thread + i * threads;
        next_query[i] = load_query(queries, query_stride, first_query + item / depth, query_count,
                                   slice + item % depth, dimensions);
        next_row[i] = load_row(rows, first_row + item % TILE, row_end, slice + item / TILE,
                               dimensions);
      }
    }
    if (slice != 0u) {
      [[unroll]] for (uint i = 0u; i < depth; ++i) {
        vec4 q[2], r[2];
        [[unroll]] for (uint h = 0u; h < 2u; ++h) {
          q[h] = query_slice[i * PITCH + h * (TILE / 8u) + line];
          r[h] = row_slice[i * PITCH + h * (TILE / 8u) + column];
        }
        [[unroll]] for (uint j = 0u; j < 8u; ++j)
          [[unroll]] for (uint h = 0u; h < 2u; ++h)
            accumulators[2u * j + h] =
                PROXEL_TILE_STEP(i, accumulators[2u * j + h], vec4(q[j / 4u][j % 4u]), r[h]);
      }
      barrier();
    }
    if (slice >= dimensions) break;
    [[unroll]] for (uint i = 0u; i < LOADS; ++i) {
      const uint item = thread + i * threads;
      query_slice[(item % depth) * PITCH + (item / depth) / 4u][(item / depth) % 4u] = next_query[i];
      row_slice[(item / TILE) * PITCH + (item % TILE) / 4u][item % 4u] = next_row[i];
    }
    barrier();
  }
}

#endif
