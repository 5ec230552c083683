// scan_undecided: the last rung: a canonical scan for the queries that a screened
// search left undecided.
// The queries numbered first_undecided … (as they stand in `undecided`, at most
// `lists` of them) share the `lists` lists: with c of them each gets
// groups = clamp(lists / c, 1, most_groups) lists, list (j, g) at position
// j * groups + g, and its rows are scanned by `groups` workgroups as scan_select
// does. Workgroups take (j, g) pairs in turn.
// With `few`, the first most_few queries of that list are served before those of `undecided`, as if both were one list.
// merge_undecided merges them.
// With `after`, keys of query j at or below after[j] (all bits compared) are passed over, so that more neighbours
// than one list holds are found in rounds.
// Constants: metric, accumulated; list_length, 1, or a power of two of at least max(k, 2); fours,
// scan_reads_fours, as in scan_select, or 0.
// Grid: x: as many workgroups as are useful; they stride over the pairs.
#ifndef PROXEL_PASSES_SCAN_UNDECIDED_H
#define PROXEL_PASSES_SCAN_UNDECIDED_H
#include "types.h"
PROXEL_PASS_BEGIN
struct ScanUndecidedParameters {
  Rows rows;
  PROXEL_ADDRESS queries;    // binary32, all queries of the search, row-major
  PROXEL_ADDRESS undecided;  // screen_refine's: count, 3 words, numbers
  PROXEL_ADDRESS few;        // another such list; address 0: none
  PROXEL_ADDRESS found;      // out: keys, [lists x k], each list ascending
  PROXEL_ADDRESS filter_bits;// allow-bitset, 32-bit words; address 0: none
  PROXEL_ADDRESS after;      // keys [lists], of the queries as they are served; address 0: none
  PROXEL_UINT dimensions;
  PROXEL_UINT query_stride;  // elements between queries
  PROXEL_UINT k;
  PROXEL_UINT first_index;   // index of row 0
  PROXEL_UINT first_undecided;
  PROXEL_UINT lists;
  PROXEL_UINT most_groups;
  PROXEL_UINT filter_stride; // words between queries' bitsets; 0: shared
  PROXEL_UINT most_few;
  PROXEL_UINT reserved;
};
#define PROXEL_SCAN_UNDECIDED_CONSTANTS(constant) \
  constant(0, PROXEL_METRIC, metric, METRIC, 0u) \
  constant(1, PROXEL_UINT, list_length, LIST_LENGTH, 1u) \
  constant(2, PROXEL_UINT, fours, FOURS, 0u)
PROXEL_CONSTANTS(ScanUndecided, PROXEL_SCAN_UNDECIDED_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ScanUndecidedParameters, ScanUndecidedConstants> scan_undecided;
/// @param workgroups  how many share the work
Pass make_scan_undecided(const ScanUndecidedParameters& parameters, Metric metric, std::uint32_t workgroups);
#endif
PROXEL_PASS_END
#endif
