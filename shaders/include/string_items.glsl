// Strings of a database beside queries (proxel/passes/levenshtein.h). Before it: the push
// constant `p`, LevenshteinParameters, and the constant SYMBOL_BYTES.
#ifndef PROXEL_STRING_ITEMS_GLSL
#define PROXEL_STRING_ITEMS_GLSL
#include "address.glsl"

const uint per_word = 4u / SYMBOL_BYTES;
const uint symbol_bits = 8u * SYMBOL_BYTES;

// One string's symbols, read a word at a time.
struct Reader {
  uvec2 line;
  uint word;
};

uint next_word(inout Reader reader) {
  const uint word = UintsIn(reader.line).values[0];
  reader.line = advance(reader.line, string_block, 4u);
  return word;
}

uint symbol_of(uint word, uint i) {
  if (SYMBOL_BYTES == 4u) return word;
  return (word >> (symbol_bits * i & 31u)) & ((1u << (symbol_bits & 31u)) - 1u);
}

uint next_symbol(inout Reader reader, uint i) {
  if (i % per_word == 0u) reader.word = next_word(reader);
  return symbol_of(reader.word, i % per_word);
}

Reader reader_of(uint place) {
  const uint line = UintsIn(advance(p.block_lines, place / string_block, 4u)).values[0];
  return Reader(advance(advance(p.symbols, line, 4u * string_block), place % string_block, 4u), 0u);
}

uint items_of_query() { return is_null(p.candidates) ? p.string_count : p.candidate_count; }

// The place of an item that exists.
uint place_of(uint query, uint item) {
  if (is_null(p.candidates)) return item;
  const uint number =
      UintsIn(advance(advance_elements(p.candidates, query, p.candidate_stride), item, 4u)).values[0];
  return UintsIn(advance(p.places, number, 4u)).values[0];
}

uint length_of(uint place) { return UintsIn(advance(p.lengths, place, 4u)).values[0]; }

// Each symbol that one has more than the other is an edit.
bool lengths_allow(uint query_length, uint string_length) {
  return max(query_length, string_length) - min(query_length, string_length) <= p.bound;
}

// A NaN where it is past the bound.
void put_distance(uint query, uint item, uint place, bool near, uint score) {
  const uint column = p.listed != 0u ? item : UintsIn(advance(p.numbers, place, 4u)).values[0];
  UintsOut(advance(advance_elements(p.distances, query, p.distance_stride), column, 4u)).values[0] =
      near && score <= p.bound ? floatBitsToUint(float(score)) : 0x7FC00000u;
}

#endif
