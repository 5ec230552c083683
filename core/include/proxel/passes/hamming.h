// hamming: the Hamming distance of each query to every string, or to its candidates: the
// places at which the two have different symbols; those that only the longer one has
// differ too. Bounded as in levenshtein.h, whose parameters these are, but for `carries`,
// which is not used.
// Workgroup size: 128.
// Constants: levenshtein's, of which it reads symbol_bytes.
// Grid: x = groups, y = queries.
#ifndef PROXEL_PASSES_HAMMING_H
#define PROXEL_PASSES_HAMMING_H
#include "levenshtein.h"
PROXEL_PASS_BEGIN
#ifdef __cplusplus
extern const PassKindOf<LevenshteinParameters, LevenshteinConstants> hamming;
/// As make_levenshtein().
Pass make_hamming(const LevenshteinParameters& parameters, std::uint32_t symbol_bytes, std::uint32_t groups,
                  std::uint32_t query_count);
#endif
PROXEL_PASS_END
#endif
