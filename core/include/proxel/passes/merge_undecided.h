// merge_undecided: merges what scan_undecided found and writes the results of
// those queries as decode_keys would: k of them, from rank first_rank on.
// Constants: list_length, 1, or a power of two of at least max(k, 2).
// Grid: x strides over the undecided queries.
#ifndef PROXEL_PASSES_MERGE_UNDECIDED_H
#define PROXEL_PASSES_MERGE_UNDECIDED_H
#include "types.h"
PROXEL_PASS_BEGIN
struct MergeUndecidedParameters {
  PROXEL_ADDRESS undecided;
  PROXEL_ADDRESS few;        // as in scan_undecided
  PROXEL_ADDRESS found;      // keys, [lists x k]
  PROXEL_ADDRESS indices;    // out: 32-bit [queries x result_stride]
  PROXEL_ADDRESS distances;  // out: binary32 [queries x result_stride]
  PROXEL_ADDRESS after;      // out: the last key of each query that is served, [lists]; address 0: none
  PROXEL_UINT k;
  PROXEL_UINT first_undecided;
  PROXEL_UINT lists;
  PROXEL_UINT most_groups;
  PROXEL_UINT largest_first;
  PROXEL_UINT finish;        // as in decode_keys
  PROXEL_UINT first_rank;
  PROXEL_UINT result_stride; // results of a query; as it is made, 0 stands for k
  PROXEL_UINT most_few;
  PROXEL_UINT reserved;
};
#define PROXEL_MERGE_UNDECIDED_CONSTANTS(constant) constant(0, PROXEL_UINT, list_length, LIST_LENGTH, 1u)
PROXEL_CONSTANTS(MergeUndecided, PROXEL_MERGE_UNDECIDED_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<MergeUndecidedParameters, MergeUndecidedConstants> merge_undecided;
/// @param most_queries  there can be no more undecided ones
Pass make_merge_undecided(MergeUndecidedParameters parameters, std::uint32_t most_queries);
#endif
PROXEL_PASS_END
#endif
