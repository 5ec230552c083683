// merge_lists: the k smallest of several ascending lists of keys, per query.
// Constants: [0] workgroup size, [1] list length: 1, or a power of two of at least max(k, 2).
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
PROXEL_PASS_END
#endif
