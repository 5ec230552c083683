// The canonical distance of one query to one row of any layout.
#ifndef PROXEL_ROW_DISTANCE_GLSL
#define PROXEL_ROW_DISTANCE_GLSL
#include "address.glsl"
#include "canonical.glsl"

float row_distance(Rows rows, uint row, FloatsIn query, uint dimensions) {
  FloatsIn values = FloatsIn(tile_address(rows, row / tile_rows));
  uint at = (row % tile_rows) * rows.row_stride;
  float s = 0.0;
  for (uint i = 0u; i < dimensions; ++i, at += rows.dimension_stride)
    s = canonical_step(s, query.values[i], values.values[at]);
  return s;
}

#endif
