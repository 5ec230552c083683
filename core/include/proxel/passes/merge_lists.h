// merge_lists: the k smallest of several ascending lists of keys, per query.
// Constants: list_length, 1, or a power of two of at least max(k, 2).
// Grid: x = queries.
#ifndef PROXEL_PASSES_MERGE_LISTS_H
#define PROXEL_PASSES_MERGE_LISTS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct MergeListsParameters {
  PROXEL_ADDRESS lists;     // keys, [queries x list_count x k], each list ascending
  PROXEL_ADDRESS merged;    // out: keys; query i's start at merged + 8 * i * merged_stride
  PROXEL_UINT list_count;
  PROXEL_UINT k;            // keys per list and keys written
  PROXEL_UINT merged_stride;  // keys
  PROXEL_UINT reserved;
};
#define PROXEL_MERGE_LISTS_CONSTANTS(constant) constant(0, PROXEL_UINT, list_length, LIST_LENGTH, 1u)
PROXEL_CONSTANTS(MergeLists, PROXEL_MERGE_LISTS_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<MergeListsParameters, MergeListsConstants> merge_lists;
Pass make_merge_lists(const MergeListsParameters& parameters, std::uint32_t query_count);
#endif
PROXEL_PASS_END
#endif
