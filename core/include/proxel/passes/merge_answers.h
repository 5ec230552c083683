// merge_answers: the nearest that queries have among all rows so far, from those among the rows before and those of
// one more part of the rows. A row that is among both is there once.
// Grid: x strides over queries, which take an invocation each.
#ifndef PROXEL_PASSES_MERGE_ANSWERS_H
#define PROXEL_PASSES_MERGE_ANSWERS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct MergeAnswersParameters {
  PROXEL_ADDRESS nearest;    // keys, [queries x kept], ascending; where kept is 0 any key that can be read
  PROXEL_ADDRESS indices;    // of the part: 32-bit [queries x columns], its rows, nearest first; padded with 0xFFFFFFFF
  PROXEL_ADDRESS distances;  // binary32, as many, as they were accumulated
  PROXEL_ADDRESS merged;     // out: keys, [queries x k], ascending; no part of `nearest`
  PROXEL_ADDRESS bounds;     // out: binary32 [queries], the distance of each k-th key, NaN where there is none; 0: not wanted
  PROXEL_UINT queries;
  PROXEL_UINT k;             // keys that are written, at least 1
  PROXEL_UINT kept;          // keys of a query so far: k, or 0 where there are none
  PROXEL_UINT columns;       // answers of a query in the part, at least 1
  PROXEL_UINT first_index;   // of the part's rows; is added to each
  PROXEL_UINT largest_first;  // 1 where ip was accumulated
};
#ifdef __cplusplus
extern const PassKindOf<MergeAnswersParameters> merge_answers;
Pass make_merge_answers(const MergeAnswersParameters& parameters);
#endif
PROXEL_PASS_END
#endif
