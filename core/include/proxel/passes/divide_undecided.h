// divide_undecided: queries that a screened search left undecided, divided by how many rows their filters allow. Thresholds do not
// decide a query that has few: where there are fewer rows than a threshold needs there is none. A scan looks at those few alone
// (scan_undecided), in less time than canonical thresholds take to find that out.
// The numbers in `undecided` are appended to `sparse` where the filter of the query allows at most `most` rows, else to `others`, in any order;
// words 0 of these count them, and word 1 of `others` those that went to `sparse`.
// Grid: x strides over the queries.
#ifndef PROXEL_PASSES_DIVIDE_UNDECIDED_H
#define PROXEL_PASSES_DIVIDE_UNDECIDED_H
#include "types.h"
PROXEL_PASS_BEGIN
struct DivideUndecidedParameters {
  // Lists as screen_refine's: 32-bit: count, 3 words, numbers.
  PROXEL_ADDRESS undecided;
  PROXEL_ADDRESS sparse;       // in and out
  PROXEL_ADDRESS others;       // in and out
  PROXEL_ADDRESS filter_bits;  // allow-bitsets, 32-bit words
  PROXEL_UINT filter_stride;   // words between queries' bitsets; 0: shared
  PROXEL_UINT row_count;       // rows 0 … row_count - 1 are counted
  PROXEL_UINT most;
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<DivideUndecidedParameters> divide_undecided;
/// @param queries  how many there may be, at least 1
Pass make_divide_undecided(const DivideUndecidedParameters& parameters, std::uint32_t queries);
#endif
PROXEL_PASS_END
#endif
