// string_tables: for each query, where in it each symbol stands: bit i of word w of
// symbol a is set where symbol 32 w + i of the query is a (Myers 1999).
// Grid: (x, y) is query y * grid.x + x.
#ifndef PROXEL_PASSES_STRING_TABLES_H
#define PROXEL_PASSES_STRING_TABLES_H
#include "types.h"
PROXEL_PASS_BEGIN
struct StringTablesParameters {
  PROXEL_ADDRESS symbols;  // 32-bit, of all queries; numbers at or above `alphabet` are no string's
  PROXEL_ADDRESS offsets;  // 32-bit [query_count + 1]: query i's symbols are offsets[i] … offsets[i + 1] - 1
  PROXEL_ADDRESS tables;   // out: 32-bit [query_count x words x alphabet]
  PROXEL_UINT query_count;
  PROXEL_UINT alphabet;    // symbols, at least 1
  PROXEL_UINT words;       // at least ceil(longest query / 32), and 1
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<StringTablesParameters> string_tables;
Pass make_string_tables(const StringTablesParameters& parameters);
#endif
PROXEL_PASS_END
#endif
