// levenshtein: the Levenshtein distance of each query to every string, or to those whose
// numbers stand in its list of candidates, by bit-parallel columns (Myers 1999), several
// words deep where a query is longer than 32 symbols (Hyyro 2003), in strips of
// levenshtein_strip words. Distances above `bound` are written as NaN; a string whose
// length alone puts it there is not read. Of a query longer than 32 symbols and a bound of
// at most levenshtein_band only the diagonals within the bound are followed, all in one
// word, until nothing can bring the distance back to it (Hyyro 2003, section 5).
// Strings stand in order of length, in blocks of 32. Block b is
// ceil(longest of the block / per) lines of 32 words, a word per string, with the `per`
// symbols 4 / 2 / 1 of `symbol_bytes` 1 / 2 / 4, first symbol lowest; it begins
// at line block_lines[b]. Workgroup (x, y) takes the blocks 4 j … 4 j + 3 of query
// y, j = x, x + groups, …; with candidates as many of those.
// Workgroup size: 128.
// Constants: symbol_bytes, 1, 2 or 4; shared_words, of the table that fit shared memory: those of a
// strip where they are no more, otherwise tables are read where they are.
// Grid: x = groups, y = queries.
#ifndef PROXEL_PASSES_LEVENSHTEIN_H
#define PROXEL_PASSES_LEVENSHTEIN_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT string_block = 32u;       // strings of a block
PROXEL_CONSTANT levenshtein_strip = 8u;   // words: 256 symbols of a query
PROXEL_CONSTANT levenshtein_band = 15u;   // a diagonal for each difference of places: 31 bits
PROXEL_CONSTANT levenshtein_shared = 2048u;  // words of shared memory for tables
struct LevenshteinParameters {
  PROXEL_ADDRESS symbols;      // 32-bit words, lines of 32
  PROXEL_ADDRESS block_lines;  // 32-bit [blocks]
  PROXEL_ADDRESS lengths;      // 32-bit [string_count], by place, ascending
  PROXEL_ADDRESS numbers;      // 32-bit [string_count]: the string at each place
  PROXEL_ADDRESS tables;       // string_tables'
  PROXEL_ADDRESS offsets;      // of the queries, as string_tables reads them
  // Where words is more than a strip: differences along the last row of a strip,
  // 2 x ceil(longest string / 32) words per invocation of each workgroup.
  PROXEL_ADDRESS carries;
  // out: binary32, distance_stride apart, [queries x string_count] by number, or, where they
  // are `listed`, in the order of the candidates, [queries x candidate_count], or of places
  PROXEL_ADDRESS distances;
  PROXEL_ADDRESS candidates;   // 32-bit [queries x candidate_count], candidate_stride apart; address 0: every string
  PROXEL_ADDRESS places;       // 32-bit [string_count]: the place of each number; read with candidates
  PROXEL_UINT string_count;
  PROXEL_UINT alphabet;
  PROXEL_UINT words;           // of the tables
  PROXEL_UINT carry_words;     // ceil(longest string / 32)
  PROXEL_UINT candidate_count; // with candidates
  PROXEL_UINT candidate_stride;
  PROXEL_UINT listed;          // 1 or 0
  PROXEL_UINT distance_stride;
  PROXEL_UINT bound;           // 0xFFFFFFFF: none
  PROXEL_UINT reserved;
};
#define PROXEL_LEVENSHTEIN_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, symbol_bytes, SYMBOL_BYTES, 1u) \
  constant(1, PROXEL_UINT, shared_words, SHARED_WORDS, 0u)
PROXEL_CONSTANTS(Levenshtein, PROXEL_LEVENSHTEIN_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<LevenshteinParameters, LevenshteinConstants> levenshtein;
/// @param symbol_bytes  1, 2 or 4
/// @param groups        workgroups that share the strings of a query
Pass make_levenshtein(const LevenshteinParameters& parameters, std::uint32_t symbol_bytes, std::uint32_t groups,
                      std::uint32_t query_count);
#endif
PROXEL_PASS_END
#endif
