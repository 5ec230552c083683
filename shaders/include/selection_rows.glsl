// Reading a row of a selection's matrix sixteen bytes at a time, and writing
// the result of a row; see SelectionRows and SelectionResult in types.h.
#ifndef PROXEL_SELECTION_ROWS_GLSL
#define PROXEL_SELECTION_ROWS_GLSL
// Included behind the constant LARGEST_FIRST.
#include "address.glsl"
#include "decode.glsl"
#include "order.glsl"

// In the order of the distance keys, but that of NaN and zeros is not their
// key yet: what is cheap to say of every value.
uint order_key(uint bits) {
  return LARGEST_FIRST ? ~ascending_bits(bits) : ascending_bits(bits);
}

// The first number's; counted from there on, NaN of either sign come last.
const uint first_number = 0x007FFFFFu;

// The distance key, of a number's order key or distance key.
uint key_of_number(uint key) {
  const uint negative_zero = LARGEST_FIRST ? 0x80000000u : 0x7FFFFFFFu;
  return key == negative_zero ? key ^ 0xFFFFFFFFu : key;
}

// The row's vectors begin at its start rounded down to 16 bytes, so that element
// e of vector v is column 4 * v + e - skip.
uvec2 row_address;
uint row_skip;  // elements of vector 0 that lie before the row
uint row_full;  // vectors before the one that holds the first element past the row
uint row_rest;  // elements of the row in that vector

void open_row(SelectionRows rows, uint row) {
  row_address = advance_elements(rows.values, row, rows.row_stride);
  row_skip = (row_address.x >> 2) & 3u;
  row_address.x &= ~15u;
  const uint rest = (rows.columns & 3u) + row_skip;
  row_full = rows.columns / 4u + rest / 4u;
  row_rest = rest & 3u;
}

uint row_vectors() { return row_full + uint(row_rest != 0u); }

bool row_holds(uint vector, uint element) {
  return (vector != 0u || element >= row_skip) &&
         (vector < row_full || (vector == row_full && element < row_rest));
}

// Whether `count` vectors from `vector` on are full of the row.
bool row_fills(uint vector, uint count) {
  return vector + count <= row_full && (vector != 0u || row_skip == 0u);
}

// Four values' bits; those of the last in order of all NaNs where an element is
// not of the row.
uvec4 read_vector(uint vector) {
  if (vector < row_full && (vector != 0u || row_skip == 0u))
    return Uint4sIn(row_address).values[vector];
  uvec4 bits = uvec4(LARGEST_FIRST ? 0xFFFFFFFFu : 0x7FFFFFFFu);
  UintsIn elements = UintsIn(advance(row_address, vector, 16u));
  [[unroll]] for (uint e = 0u; e < 4u; ++e)
    if (row_holds(vector, e)) bits[e] = elements.values[e];
  return bits;
}

// The column of an element, or 0xFFFFFFFF.
uint column_of(uint vector, uint element) {
  return row_holds(vector, element) ? 4u * vector + element - row_skip : 0xFFFFFFFFu;
}

void write_slot(SelectionResult result, uint row, uint slot, uint index, uvec2 key, bool largest_first) {
  UintsOut(advance_elements(result.indices, row, result.k)).values[slot] = index;
  FloatsOut(advance_elements(result.selected, row, result.k)).values[slot] =
      decoded_distance(key, largest_first, finish_none);
}

// Writes slot `slot` of a row's result, each invocation its own; no_row pads it.
void write_selected(SelectionResult result, SelectionRows rows, uint row, uint slot, uvec2 key,
                    bool largest_first) {
  uint index = key.y;
  if (!is_null(result.payload) && key != no_row)
    index = UintsIn(advance(advance_elements(result.payload, row, rows.row_stride), index, 4u)).values[0];
  write_slot(result, row, slot, index, key, largest_first);
}

// Pads a slot.
void write_padding(SelectionResult result, uint row, uint slot, bool largest_first) {
  write_slot(result, row, slot, no_row.y, no_row, largest_first);
}

#endif
