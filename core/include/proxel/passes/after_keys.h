// after_keys: the keys behind which searches continue, from the neighbours that
// were found last, one (distance, index) per query.
//   An index of 0xFFFFFFFF: nothing follows, the key is all ones.
//   finish_none: the distance's key and the index, as they stand.
//   Otherwise the order is that of what was accumulated, and several values may
//   be seen as one distance: where the index is one of these rows and what its
//   distance, evaluated canonically, is seen as is the given distance, the
//   row's own key; elsewhere, with `others` set, the distance key of the last
//   value that is seen as the given distance or nearer, and the index.
// Constants: metric, accumulated; finish, as in types.h.
// Grid: x strides over queries.
#ifndef PROXEL_PASSES_AFTER_KEYS_H
#define PROXEL_PASSES_AFTER_KEYS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct AfterKeysParameters {
  Rows rows;                 // not read with finish_none
  PROXEL_ADDRESS queries;    // binary32, [query_count x dimensions], row-major; not read with finish_none
  PROXEL_ADDRESS distances;  // binary32, one per query, pair_stride elements apart
  PROXEL_ADDRESS indices;    // 32-bit, one per query, pair_stride elements apart
  PROXEL_ADDRESS keys;       // out: [query_count]
  PROXEL_UINT dimensions;
  PROXEL_UINT query_count;
  PROXEL_UINT query_stride;  // elements between queries
  PROXEL_UINT pair_stride;
  PROXEL_UINT first_index;   // index of row 0
  PROXEL_UINT others;        // 1: keys are also written where the index is none of these rows
};
#define PROXEL_AFTER_KEYS_CONSTANTS(constant) \
  constant(0, PROXEL_METRIC, metric, METRIC, 0u) \
  constant(1, PROXEL_UINT, finish, FINISH, 0u)
PROXEL_CONSTANTS(AfterKeys, PROXEL_AFTER_KEYS_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<AfterKeysParameters, AfterKeysConstants> after_keys;
Pass make_after_keys(const AfterKeysParameters& parameters, Metric metric);
#endif
PROXEL_PASS_END
#endif
