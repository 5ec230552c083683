// hamming: the Hamming distance of each query to every string, or to its candidates: the
// places at which the two have different symbols; those that only the longer one has
// differ too. Bounded as in levenshtein.h, whose parameters these are, but for `carries`,
// which is not used.
// Constants: [0] workgroup size, 128; [1] symbol_bytes.
// Grid: x = groups, y = queries.
#ifndef PROXEL_PASSES_HAMMING_H
#define PROXEL_PASSES_HAMMING_H
#include "levenshtein.h"
#endif
