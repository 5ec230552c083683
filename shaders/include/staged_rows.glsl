// Canonical distances of a query to rows here and there whose values are neighbours. Neighbouring invocations read neighbouring values,
// whole pieces of memory, and leave them in shared memory; there each invocation adds up one row, in the canonical order. An invocation
// that reads a row of its own asks for a part of a piece at a time, which takes the caches and the memory behind them longer.
//
// Included where STAGED, an array of uint in shared memory, of STAGED_ROWS rows and a query at least, and STAGED_ROWS are defined: rows at a
// time, a multiple of 16, at most as many as there are invocations. The pass has, as functions:
//   uint staged_row(uint i): the number of row i
//   void staged_distance(uint i, float distance): takes its distance
#ifndef PROXEL_STAGED_ROWS_GLSL
#define PROXEL_STAGED_ROWS_GLSL
#include "canonical_row.glsl"
#include "proxel/passes/screen_refine.h"

const uint staged_apart = screen_staged_dimensions + 1u;  // keeps the banks apart
const uint staged_lanes = screen_staged_dimensions / 4u;  // invocations that share a row as it is read
const uint rows_of_read = WORKGROUP_SIZE / staged_lanes;
const uint staged_reads = (STAGED_ROWS + rows_of_read - 1u) / rows_of_read;
const uint staged_query = STAGED_ROWS * staged_apart;  // where the query's values are

// Values `at` and on, as many as there are.
vec4 four_of(uvec2 row, uint at, uint dimensions) {
  if (at + 4u <= dimensions) return Float4sIn(row).values[at / 4u];
  vec4 four = vec4(0.0);
  FloatsIn values = FloatsIn(row);
  if (at < dimensions) four.x = values.values[at];
  if (at + 1u < dimensions) four.y = values.values[at + 1u];
  if (at + 2u < dimensions) four.z = values.values[at + 2u];
  return four;
}

// Brings dimensions from `first` on of all rows to shared memory, all of them asked for at once.
void stage(FloatsIn query, uvec2 from[screen_staged_dimensions / 4u], uint count, uint first, uint dimensions) {
  const uint thread = gl_LocalInvocationID.x, column = 4u * (thread % staged_lanes);
  vec4 fours[screen_staged_dimensions / 4u];
  [[unroll]] for (uint j = 0u; j < staged_reads; ++j) {
    fours[j] = vec4(0.0);
    if (j * rows_of_read < count) fours[j] = four_of(from[j], first + column, dimensions);
  }
  if (thread < screen_staged_dimensions)
    STAGED[staged_query + thread] = floatBitsToUint(query.values[min(first + thread, dimensions - 1u)]);
  [[unroll]] for (uint j = 0u; j < staged_reads; ++j) {
    const uint row = j * rows_of_read + thread / staged_lanes;
    if (row < count)
      [[unroll]] for (uint c = 0u; c < 4u; ++c)
        STAGED[row * staged_apart + column + c] = floatBitsToUint(fours[j][c]);
  }
}

float staged_step(float sum, uint own, uint i) {
  return canonical_step(sum, uintBitsToFloat(STAGED[staged_query + i]), uintBitsToFloat(STAGED[own + i]));
}

// Of at most STAGED_ROWS rows.
void evaluate_some(FloatsIn query, Rows rows, uint dimensions, uint first_row, uint count) {
  const uint thread = gl_LocalInvocationID.x, own = min(thread, count - 1u) * staged_apart;
  uvec2 from[screen_staged_dimensions / 4u];
  [[unroll]] for (uint j = 0u; j < staged_reads; ++j) {
    const uint row = staged_row(first_row + min(j * rows_of_read + thread / staged_lanes, count - 1u));
    from[j] = advance(tile_address(rows, row / tile_rows), row % tile_rows, 4u * rows.row_stride);
  }
  float sum = 0.0;
  for (uint first = 0u; first < dimensions; first += screen_staged_dimensions) {
    barrier();  // what was there has been read
    stage(query, from, count, first, dimensions);
    barrier();
    if (first + screen_staged_dimensions <= dimensions) {
      [[unroll]] for (uint i = 0u; i < screen_staged_dimensions; ++i) sum = staged_step(sum, own, i);
    } else {
      for (uint i = 0u; i < dimensions - first; ++i) sum = staged_step(sum, own, i);
    }
  }
  if (thread < count) staged_distance(first_row + thread, sum);
}

/// All invocations call it together, of rows for which reads_fours() holds. A barrier is to follow.
void evaluate_staged(FloatsIn query, Rows rows, uint dimensions, uint count) {
  for (uint first = 0u; first < count; first += STAGED_ROWS)
    evaluate_some(query, rows, dimensions, first, min(count - first, STAGED_ROWS));
}

#endif
