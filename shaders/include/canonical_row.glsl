// The canonical distance of a query to one row, wherever the row lies.
#ifndef PROXEL_CANONICAL_ROW_GLSL
#define PROXEL_CANONICAL_ROW_GLSL
#include "address.glsl"
#include "canonical.glsl"

// Whether the values of a row are neighbours and can be read four at a time.
bool reads_fours(Rows rows) {
  return rows.dimension_stride == 1u && ((rows.row_stride | rows.tile_stride) & 3u) == 0u &&
         (rows.address.x & 15u) == 0u;
}

float canonical_row(FloatsIn query, Rows rows, uint row, uint dimensions) {
  const uvec2 address = advance(tile_address(rows, row / tile_rows), row % tile_rows,
                                4u * rows.row_stride);
  FloatsIn values = FloatsIn(address);
  const uint stride = rows.dimension_stride;
  // What is asked for before the first value is used.
  const uint together = 16u;
  const bool fours = reads_fours(rows);
  float s = 0.0;
  uint i = 0u;
  for (; i + together <= dimensions; i += together) {
    float r[together];
    if (fours) {
      [[unroll]] for (uint j = 0u; j < together; j += 4u) {
        const vec4 four = Float4sIn(address).values[(i + j) / 4u];
        [[unroll]] for (uint c = 0u; c < 4u; ++c) r[j + c] = four[c];
      }
    } else {
      [[unroll]] for (uint j = 0u; j < together; ++j) r[j] = values.values[(i + j) * stride];
    }
    [[unroll]] for (uint j = 0u; j < together; ++j) s = canonical_step(s, query.values[i + j], r[j]);
  }
  for (; i + 4u <= dimensions; i += 4u) {
    float r[4];
    [[unroll]] for (uint j = 0u; j < 4u; ++j) r[j] = values.values[(i + j) * stride];
    [[unroll]] for (uint j = 0u; j < 4u; ++j) s = canonical_step(s, query.values[i + j], r[j]);
  }
  for (; i < dimensions; ++i) s = canonical_step(s, query.values[i], values.values[i * stride]);
  return s;
}

#endif
