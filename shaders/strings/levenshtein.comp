#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/levenshtein.h"
PROXEL_LEVENSHTEIN_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "workgroup.glsl"

layout(push_constant, std430) uniform Push { LevenshteinParameters p; };

#include "string_items.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Carries { uint values[]; };

const uint STAGED = SHARED_WORDS == 0u ? 1u : SHARED_WORDS;
shared uint shared_table[STAGED];

uint length_of_query;
uvec2 table;       // of the query
uint first_word;   // of the strip at hand
uint strip_words;

// Where the symbol stands in a word of the query's strip.
uint places_of(uint symbol, uint word) {
  if (SHARED_WORDS != 0u) return shared_table[word * p.alphabet + symbol];
  return UintsIn(advance(table, (first_word + word) * p.alphabet + symbol, 4u)).values[0];
}

// What the last column rises by over the symbols of a word, of which so many are the
// query's. The top of a column is the number of the string's symbols before it.
uint rise(uint positive, uint negative, uint symbols) {
  const uint mask = symbols < 32u ? (1u << symbols) - 1u : 0xFFFFFFFFu;
  return uint(bitCount(positive & mask) - bitCount(negative & mask));
}

// A query of up to 32 symbols.
uint one_word(Reader reader, uint string_length) {
  uint positive = 0xFFFFFFFFu;  // vertical differences of +1 and -1
  uint negative = 0u;
  for (uint i = 0u; i < string_length; i += per_word) {
    const uint word = next_word(reader);
    [[unroll]] for (uint j = 0u; j < 4u; ++j) {
      if (j >= per_word || i + j >= string_length) break;
      const uint equal = places_of(symbol_of(word, j), 0u);
      const uint diagonal = (((equal & positive) + positive) ^ positive) | equal | negative;
      uint up = negative | ~(diagonal | positive);
      uint down = positive & diagonal;
      up = (up << 1) | 1u;
      down <<= 1;
      positive = down | ~(diagonal | up);
      negative = up & diagonal;
    }
  }
  return string_length + rise(positive, negative, length_of_query);
}

// As places_of() in a query of so many words, also where no strip holds them all.
uint places_in(uint words, uint symbol, uint word) {
  if (SHARED_WORDS != 0u && words <= levenshtein_strip) return shared_table[word * p.alphabet + symbol];
  return UintsIn(advance(table, word * p.alphabet + symbol, 4u)).values[0];
}

// The query's symbols first … first + 31 that are `symbol`, of which some may not exist.
uint window(uint symbol, int first, uint words) {
  const int word = first >> 5;
  const uint low = word >= 0 ? places_in(words, symbol, uint(word)) : 0u;
  const uint high = uint(word + 1) < words ? places_in(words, symbol, uint(word + 1)) : 0u;
  const uint shift = uint(first) & 31u;
  return shift == 0u ? low : (low >> shift) | (high << (32u - shift));
}

// A longer query whose table is all there, and a string, where their lengths differ by no
// more than the bound: right where the distance is within the bound, past it elsewhere.
uint banded(Reader reader, uint string_length, uint words) {
  // In column j bit 31 is row j + bound of the table, from the first row on.
  uint positive = 0xFFFFFFFFu << (31u - p.bound);
  uint negative = 0u;
  uint score = p.bound;
  int first = int(p.bound) - 31;
  const uint slanted = length_of_query - p.bound;  // columns until bit 31 is the last row
  // No diagonal falls, and every column after those may take one away.
  const uint limit = string_length - slanted + p.bound;
  for (uint i = 0u; i < string_length && score <= limit; ++i, ++first) {
    const uint equal = window(next_symbol(reader, i), first, words);
    const uint diagonal = (((equal & positive) + positive) ^ positive) | equal | negative;
    const uint up = negative | ~(diagonal | positive);
    const uint down = positive & diagonal;
    if (i < slanted) {
      score += ~diagonal >> 31;
    } else {
      // The last row, a bit lower in every column.
      const uint bit = 30u - (i - slanted);
      score += ((up >> bit) & 1u) - ((down >> bit) & 1u);
    }
    const uint vertical = diagonal >> 1;
    positive = down | ~(vertical | up);
    negative = up & vertical;
  }
  return score;
}

// One strip of a longer query; `score` grows by what the last column rises over it.
void strip(Reader reader, uint string_length, bool last, uvec2 carries, inout uint score) {
  const bool first = first_word == 0u;
  uint positive[levenshtein_strip];
  uint negative[levenshtein_strip];
  [[unroll]] for (uint w = 0u; w < levenshtein_strip; ++w) {
    positive[w] = 0xFFFFFFFFu;
    negative[w] = 0u;
  }
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
        const uint up_out = up >> 31;
        const uint down_out = down >> 31;
        up = (up << 1) | up_in;
        down = (down << 1) | down_in;
        positive[w] = down | ~(vertical | up);
        negative[w] = up & vertical;
        up_in = up_out;
        down_in = down_out;
      }
    if (last) continue;
    below |= uvec2(up_in, down_in) << bit;
    if (bit == 31u || i + 1u == string_length) {
      Carries(advance(carries, i / 32u * 2u, 4u * WORKGROUP_SIZE)).values[0] = below.x;
      Carries(advance(carries, i / 32u * 2u + 1u, 4u * WORKGROUP_SIZE)).values[0] = below.y;
      below = uvec2(0u);
    }
  }
  [[unroll]] for (uint w = 0u; w < levenshtein_strip; ++w)
    if (w < strip_words) score += rise(positive[w], negative[w], length_of_query - 32u * (first_word + w));
}

void stage_table() {
  if (SHARED_WORDS == 0u) return;
  barrier();  // the strip before has been used
  const uint words = strip_words * p.alphabet;
  UintsIn from = UintsIn(advance(table, first_word * p.alphabet, 4u));
  for (uint i = gl_LocalInvocationID.x; i < words; i += WORKGROUP_SIZE) shared_table[i] = from.values[i];
  barrier();
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
  const uint items = items_of_query();
  const uint tiles = (items - 1u) / WORKGROUP_SIZE + 1u;
  const bool in_band = words > 1u && p.bound <= levenshtein_band;
  if (strips <= 1u) {
    first_word = 0u;
    strip_words = words;
    stage_table();
  }
  for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
    const uint item = tile * WORKGROUP_SIZE + gl_LocalInvocationID.x;
    const bool exists = item < items;
    const uint place = exists ? place_of(query, item) : 0u;
    const uint string_length = exists ? length_of(place) : 0u;
    const bool near = exists && lengths_allow(length_of_query, string_length);
    uint score = string_length;
    if (words == 1u) {
      if (near) score = one_word(reader_of(place), string_length);
    } else if (in_band) {
      if (near) score = banded(reader_of(place), string_length, words);
    } else {
      for (uint s = 0u; s < strips; ++s) {
        if (strips > 1u) {
          first_word = s * levenshtein_strip;
          strip_words = min(levenshtein_strip, words - first_word);
          stage_table();
        }
        if (near)
          strip(reader_of(place), string_length, s + 1u == strips, carries, score);
      }
    }
    if (exists) put_distance(query, item, place, near, score);
  }
}
