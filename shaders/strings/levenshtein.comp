#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/levenshtein.h"

layout(constant_id = 1) const uint SYMBOL_BYTES = 1u;
layout(constant_id = 2) const uint SHARED_WORDS = 0u;
layout(push_constant, std430) uniform Push { LevenshteinParameters p; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Carries { uint values[]; };

const uint STAGED = SHARED_WORDS == 0u ? 1u : SHARED_WORDS;
shared uint shared_table[STAGED];

const uint per_word = 4u / SYMBOL_BYTES;
const uint symbol_bits = 8u * SYMBOL_BYTES;

uint length_of_query;
uvec2 table;       // of the query
uint first_word;   // of the strip at hand
uint strip_words;

// Where the symbol stands in a word of the query's strip.
uint places_of(uint symbol, uint word) {
  if (SHARED_WORDS != 0u) return shared_table[word * p.alphabet + symbol];
  return UintsIn(advance(table, (first_word + word) * p.alphabet + symbol, 4u)).values[0];
}

// One string's symbols, read a word at a time.
struct Reader {
  uvec2 line;
  uint word;
};

uint next_symbol(inout Reader reader, uint i) {
  if (i % per_word == 0u) {
    reader.word = UintsIn(reader.line).values[0];
    reader.line = advance(reader.line, string_block, 4u);
  }
  if (SYMBOL_BYTES == 4u) return reader.word;
  const uint symbol = reader.word & ((1u << (symbol_bits & 31u)) - 1u);
  reader.word >>= symbol_bits & 31u;
  return symbol;
}

// A query of up to 32 symbols.
uint one_word(Reader reader, uint string_length) {
  uint positive = 0xFFFFFFFFu;  // vertical differences of +1 and -1
  uint negative = 0u;
  uint score = length_of_query;
  const uint last = (length_of_query - 1u) & 31u;
  for (uint i = 0u; i < string_length; ++i) {
    const uint equal = places_of(next_symbol(reader, i), 0u);
    const uint diagonal = (((equal & positive) + positive) ^ positive) | equal | negative;
    uint up = negative | ~(diagonal | positive);
    uint down = positive & diagonal;
    score += (up >> last) & 1u;
    score -= (down >> last) & 1u;
    up = (up << 1) | 1u;
    down <<= 1;
    positive = down | ~(diagonal | up);
    negative = up & diagonal;
  }
  return score;
}

// One strip of a longer query; `score` grows by the differences of its last row.
void strip(Reader reader, uint string_length, bool first, bool last, uvec2 carries, inout uint score) {
  uint positive[levenshtein_strip];
  uint negative[levenshtein_strip];
  [[unroll]] for (uint w = 0u; w < levenshtein_strip; ++w) {
    positive[w] = 0xFFFFFFFFu;
    negative[w] = 0u;
  }
  const uint last_bit = last ? (length_of_query - 1u) & 31u : 31u;
  uvec2 above = uvec2(0u);  // differences of 32 symbols along the row above: +1 and -1
  uvec2 below = uvec2(0u);
  for (uint i = 0u; i < string_length; ++i) {
    const uint bit = i & 31u;
    if (bit == 0u && !first)
      above = uvec2(Carries(advance(carries, i / 32u * 2u, 4u * WORKGROUP_SIZE)).values[0],
                    Carries(advance(carries, i / 32u * 2u + 1u, 4u * WORKGROUP_SIZE)).values[0]);
    const uint symbol = next_symbol(reader, i);
    // The row above all has a difference of +1 everywhere.
    uint up_in = first ? 1u : (above.x >> bit) & 1u;
    uint down_in = first ? 0u : (above.y >> bit) & 1u;
    [[unroll]] for (uint w = 0u; w < levenshtein_strip; ++w)
      if (w < strip_words) {
        const uint matching = places_of(symbol, w);
        const uint vertical = matching | negative[w];
        const uint equal = matching | down_in;
        const uint horizontal = (((equal & positive[w]) + positive[w]) ^ positive[w]) | equal;
        uint up = negative[w] | ~(horizontal | positive[w]);
        uint down = positive[w] & horizontal;
        const uint out_bit = w + 1u == strip_words ? last_bit : 31u;
        const uint up_out = (up >> out_bit) & 1u;
        const uint down_out = (down >> out_bit) & 1u;
        up = (up << 1) | up_in;
        down = (down << 1) | down_in;
        positive[w] = down | ~(vertical | up);
        negative[w] = up & vertical;
        up_in = up_out;
        down_in = down_out;
      }
    if (last) {
      score += up_in;
      score -= down_in;
      continue;
    }
    below |= uvec2(up_in, down_in) << bit;
    if (bit == 31u || i + 1u == string_length) {
      Carries(advance(carries, i / 32u * 2u, 4u * WORKGROUP_SIZE)).values[0] = below.x;
      Carries(advance(carries, i / 32u * 2u + 1u, 4u * WORKGROUP_SIZE)).values[0] = below.y;
      below = uvec2(0u);
    }
  }
}

void stage_table() {
  if (SHARED_WORDS == 0u) return;
  barrier();  // the strip before has been used
  const uint words = strip_words * p.alphabet;
  UintsIn from = UintsIn(advance(table, first_word * p.alphabet, 4u));
  for (uint i = gl_LocalInvocationID.x; i < words; i += WORKGROUP_SIZE) shared_table[i] = from.values[i];
  barrier();
}

Reader reader_of(uint place) {
  const uint line = UintsIn(advance(p.block_lines, place / string_block, 4u)).values[0];
  return Reader(advance(advance(p.symbols, line, 4u * string_block), place % string_block, 4u), 0u);
}

void main() {
  const uint query = gl_WorkGroupID.y;
  UintsIn offsets = UintsIn(advance(p.offsets, query, 4u));
  length_of_query = offsets.values[1] - offsets.values[0];
  table = advance_elements(p.tables, query, p.words * p.alphabet);
  const uint words = (length_of_query + 31u) / 32u;
  const uint strips = (words + levenshtein_strip - 1u) / levenshtein_strip;
  uvec2 carries = uvec2(0u);
  if (strips > 1u)
    carries = advance(advance(p.carries, query * gl_NumWorkGroups.x + gl_WorkGroupID.x,
                              8u * p.carry_words * WORKGROUP_SIZE),
                      gl_LocalInvocationID.x, 4u);
  const bool all = is_null(p.candidates);
  const uint items = all ? p.string_count : p.candidate_count;
  const uint tiles = (items - 1u) / WORKGROUP_SIZE + 1u;
  if (strips <= 1u) {
    first_word = 0u;
    strip_words = words;
    stage_table();
  }
  for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
    const uint item = tile * WORKGROUP_SIZE + gl_LocalInvocationID.x;
    const bool exists = item < items;
    uint place = item;
    if (!all && exists)
      place = UintsIn(advance(p.places,
                              UintsIn(advance(advance_elements(p.candidates, query, items), item, 4u))
                                  .values[0],
                              4u)).values[0];
    const uint string_length =
        exists ? UintsIn(advance(p.lengths, place, 4u)).values[0] : 0u;
    uint score = length_of_query;
    if (words == 0u) {
      score = string_length;
    } else if (words == 1u) {
      if (exists) score = one_word(reader_of(place), string_length);
    } else {
      for (uint s = 0u; s < strips; ++s) {
        if (strips > 1u) {
          first_word = s * levenshtein_strip;
          strip_words = min(levenshtein_strip, words - first_word);
          stage_table();
        }
        if (exists)
          strip(reader_of(place), string_length, s == 0u, s + 1u == strips, carries, score);
      }
    }
    if (exists)
      FloatsOut(advance(advance_elements(p.distances, query, p.string_count),
                        UintsIn(advance(p.numbers, place, 4u)).values[0], 4u))
          .values[0] = float(score);
  }
}
