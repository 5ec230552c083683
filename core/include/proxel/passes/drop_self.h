// drop_self: leaves each query's own row out of its nearest. Of the k + 1 that were found the row of
// that number goes or, where it is not among them, the last; the others keep their order.
// The lists of `block` queries lie one behind the other, and so do their answers: neighbouring threads
// of a workgroup read and write neighbouring slots of them, whatever k is.
// Grid: x strides over blocks of that many queries.
#ifndef PROXEL_PASSES_DROP_SELF_H
#define PROXEL_PASSES_DROP_SELF_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT drop_self_slots = 1024u;   // of the answers of a block, where it has more than one query
PROXEL_CONSTANT drop_self_queries = 128u;  // of a block, at most; at least 1 whatever k is
struct DropSelfParameters {
  PROXEL_ADDRESS found_indices;    // 32-bit [queries x (k + 1)]
  PROXEL_ADDRESS found_distances;  // binary32, as many
  PROXEL_ADDRESS self;             // 32-bit, one per query; 0xFFFFFFFF: it is no row
  PROXEL_ADDRESS indices;          // out: 32-bit [queries x k]
  PROXEL_ADDRESS distances;        // out: binary32, as many
  PROXEL_ADDRESS counted;          // 32-bit: queries past that many are left as they are; 0: none are
  PROXEL_UINT queries;
  PROXEL_UINT k;      // 1 to 2^32 - 2
  PROXEL_UINT block;  // queries that a workgroup takes at a time; set by the maker
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<DropSelfParameters> drop_self;
Pass make_drop_self(DropSelfParameters parameters);
#endif
PROXEL_PASS_END
#endif
