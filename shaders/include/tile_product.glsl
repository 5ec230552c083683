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
#include "finite.glsl"
#include "order.glsl"

// What a pair of values of a dimension adds to an accumulator; a pass may define another step
// before it includes this file.
#ifndef PROXEL_TILE_STEP
#include "canonical.glsl"
#define PROXEL_TILE_STEP canonical_step_of
// Differences of finite numbers are no NaN, and so the larger magnitude is the larger number, which is one instruction where the
// larger of bits takes two and slower ones.
const bool COMPARES_NUMBERS = METRIC == metric_linf;
#else
const bool COMPARES_NUMBERS = false;
#endif

const uint TILE = 8u * WIDTH;
const uint depth = 8u;
// One vec4 of padding keeps the transposing stores of the queries apart.
const uint PITCH = TILE / 4u + 1u;
const uint LOADS = (depth * TILE) / (WIDTH * WIDTH);  // values each thread stages: 64 / WIDTH
const uint most_loads = 8u;

shared vec4 query_slice[depth * PITCH];
shared vec4 row_slice[depth * PITCH];

// With COMPARES_NUMBERS: whether a value of the tile so far is not finite.
shared uint some_not_finite;

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

// Accumulates the dimensions of a slice.
void accumulate_slice(uint line, uint column) {
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
}

// The same with COMPARES_NUMBERS, where all values are finite. Two dimensions at a time, as some devices have a maximum of three.
void accumulate_magnitudes(uint line, uint column) {
  [[unroll]] for (uint i = 0u; i < depth; i += 2u) {
    vec4 q[4], r[4];
    [[unroll]] for (uint h = 0u; h < 4u; ++h) {
      const uint at = (i + h / 2u) * PITCH + h % 2u * (TILE / 8u);
      q[h] = query_slice[at + line];
      r[h] = row_slice[at + column];
    }
    [[unroll]] for (uint j = 0u; j < 8u; ++j)
      [[unroll]] for (uint h = 0u; h < 2u; ++h) {
        precise vec4 first = vec4(q[j / 4u][j % 4u]) - r[h];
        precise vec4 second = vec4(q[2u + j / 4u][j % 4u]) - r[2u + h];
        accumulators[2u * j + h] = max(max(accumulators[2u * j + h], abs(first)), abs(second));
      }
  }
}

// Accumulates all dimensions of queries first_query … and rows first_row … (below row_end).
void accumulate_tile(Rows rows, uint first_row, uint row_end, uvec2 queries, uint query_stride,
                     uint first_query, uint query_count, uint dimensions) {
  const uint thread = gl_LocalInvocationID.x;
  const uint threads = WIDTH * WIDTH;
  const uint column = thread % WIDTH;
  const uint line = thread / WIDTH;
  [[unroll]] for (uint i = 0u; i < 16u; ++i) accumulators[i] = vec4(0.0);

  if (COMPARES_NUMBERS) {
    if (thread == 0u) some_not_finite = 0u;
    barrier();
  }

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
      if (COMPARES_NUMBERS && some_not_finite == 0u)
        accumulate_magnitudes(line, column);
      else
        accumulate_slice(line, column);
      barrier();
    }
    if (slice >= dimensions) break;
    [[unroll]] for (uint i = 0u; i < LOADS; ++i) {
      const uint item = thread + i * threads;
      query_slice[(item % depth) * PITCH + (item / depth) / 4u][(item / depth) % 4u] = next_query[i];
      row_slice[(item / TILE) * PITCH + (item % TILE) / 4u][item % 4u] = next_row[i];
      if (COMPARES_NUMBERS && !(is_finite(next_query[i]) && is_finite(next_row[i]))) some_not_finite = 1u;
    }
    barrier();
  }
}

#endif
