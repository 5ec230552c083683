// merge_sorted: one round of the second stage of GPU-Qsort, Merge-Reduction
// (Lopresti 2013, section 4.2). Sorted runs of a row, each `run` keys long but the
// last, are merged in pairs into sorted runs of twice the length; a run without
// another is copied. Of each pair the k smallest keys are read and written.
//   The paper has one workgroup of 32 threads for each pair. Here several share a
//   pair, merge_items keys for each of their invocations: a subgroup finds where
//   each run's share begins and ends along the merge path (Odeh, Green, Mwassi,
//   Shmueli and Birk 2012), and within the workgroup invocations do the same. The
//   rounds and what each merges are the paper's.
// Constants: largest_first.
// Grid: workgroup (x, y, z) takes tile z * grid.x + x of row y: tiles are counted
// pair after pair; those past them do nothing.
#ifndef PROXEL_PASSES_MERGE_SORTED_H
#define PROXEL_PASSES_MERGE_SORTED_H
#include "types.h"
PROXEL_PASS_BEGIN
// Odd, so that neighbours' keys lie in different banks of shared memory.
PROXEL_CONSTANT merge_items = 7u;
struct MergeSortedParameters {
  SelectionRows rows;      // its values are not read
  SelectionResult result;  // written where target is 0, for which there is one pair; padded past the row
  PROXEL_ADDRESS source;   // keys, [rows x columns]
  PROXEL_ADDRESS target;   // out: keys, [rows x columns]; 0 for the result
  PROXEL_UINT run;         // keys of a sorted run, 1 … 2^31
  PROXEL_UINT pair_tiles;  // workgroups that share a pair
};
#define PROXEL_MERGE_SORTED_CONSTANTS(constant) constant(0, PROXEL_BOOL, largest_first, LARGEST_FIRST, false)
PROXEL_CONSTANTS(MergeSorted, PROXEL_MERGE_SORTED_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<MergeSortedParameters, MergeSortedConstants> merge_sorted;
/// Fills in the tiles of a pair.
/// @param workgroup_size  128 or 256; 256 on CUDA
Pass make_merge_sorted(MergeSortedParameters parameters, bool largest_first, std::uint32_t workgroup_size);
#endif
PROXEL_PASS_END
#endif
