// The canonical distance of a query to one row, wherever the row lies.
#ifndef PROXEL_CANONICAL_ROW_GLSL
#define PROXEL_CANONICAL_ROW_GLSL
#include "address.glsl"
#include "canonical.glsl"

float canonical_row(FloatsIn query, Rows rows, uint row, uint dimensions) {
  FloatsIn values = FloatsIn(advance(tile_address(rows, row / tile_rows), row % tile_rows,
                                     4u * rows.row_stride));
  const uint stride = rows.dimension_stride;
  // What is asked for before the first value is used.
  const uint together = 16u;
  float s = 0.0;
  uint i = 0u;
  for (; i + together <= dimensions; i += together) {
    float r[together];
    [[unroll]] for (uint j = 0u; j < together; ++j) r[j] = values.values[(i + j) * stride];
    [[unroll]] for (uint j = 0u; j < together; ++j) s = canonical_step(s, query.values[i + j], r[j]);
  }
  for (; i < dimensions; ++i) s = canonical_step(s, query.values[i], values.values[i * stride]);
  return s;
}

#endif
