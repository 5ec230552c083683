// after_keys: the keys behind which searches continue, from the neighbours that
// were found last, one (distance, index) per query.
//   An index of 0xFFFFFFFF: nothing follows, the key is all ones.
//   Without root: the distance's key and the index, as they stand.
//   With root (l2, whose order is that of the squares): where the index is one
//   of these rows and its distance, evaluated canonically, has the given root,
//   the row's own key; elsewhere, with `others` set, the distance key of the
//   largest value whose root is at most the given distance, and the index.
// Constants: [0] workgroup size, [1] metric (accumulated), [2] root (0 or 1).
// Grid: x strides over queries.
#ifndef PROXEL_PASSES_AFTER_KEYS_H
#define PROXEL_PASSES_AFTER_KEYS_H
#include "types.h"
PROXEL_PASS_BEGIN
struct AfterKeysParameters {
  Rows rows;                 // read with root only
  PROXEL_ADDRESS queries;    // binary32, [query_count x dimensions], row-major; read with root only
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
PROXEL_PASS_END
#endif
