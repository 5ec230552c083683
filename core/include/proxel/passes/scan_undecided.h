// scan_undecided: the last rung: a canonical scan for the queries that a screened
// search left undecided, whose results it writes as decode_keys would.
// The queries numbered first_undecided … (as they stand in `undecided`, at most
// `lists` of them) share the `lists` lists: with c of them each gets
// groups = clamp(lists / c, 1, whole steps of the rows) lists, list (j, g) at position
// j * groups + g, and its rows are scanned by `groups` workgroups as scan_select
// does, of which the last to finish merges the lists. Workgroups take (j, g) pairs in turn.
// With `few`, the first most_few queries of that list are served before those of `undecided`, as if both were one list.
// Steps of the rows of which a query may be given none are passed over.
// k neighbours are written from rank first_rank on, so that more than one list holds are found in rounds, where k is less than
// result_stride: all but the first pass over keys of query j at or below the j-th that `found` begins with (all bits compared), and each
// leaves the last key that it wrote there.
// Constants: metric, accumulated; list_length, 1, or a power of two of at least max(k, 2); fours,
// scan_reads_fours, as in scan_select, or 0.
// Grid: x: as many workgroups as are useful; they stride over the pairs.
#ifndef PROXEL_PASSES_SCAN_UNDECIDED_H
#define PROXEL_PASSES_SCAN_UNDECIDED_H
#include "types.h"
PROXEL_PASS_BEGIN
struct ScanUndecidedParameters {
  Rows rows;
  PROXEL_ADDRESS queries;    // binary32 [all queries of the search x dimensions], row-major
  // In and out: 32-bit [lists], 0 before and after; at the next multiple of 16 bytes is `undecided`, screen_refine's: count, 3 words,
  // numbers.
  PROXEL_ADDRESS tickets;
  PROXEL_ADDRESS few;        // another such list as `undecided`; address 0: none
  PROXEL_ADDRESS found;      // clobbered: keys: in rounds [lists], in and out, of the queries as they are served; then [lists x k]
  PROXEL_ADDRESS filter_bits;// allow-bitset, 32-bit words; address 0: none
  PROXEL_ADDRESS told;       // out: 32-bit [3]: the counts of `few` and of `undecided`, and word 1 of `few`; 0 where there is none; address 0: none
  PROXEL_ADDRESS indices;    // out: 32-bit [queries x result_stride]
  PROXEL_ADDRESS distances;  // out: binary32 [queries x result_stride]
  PROXEL_UINT dimensions;
  PROXEL_UINT k;
  PROXEL_UINT first_index;   // index of row 0
  PROXEL_UINT first_undecided;
  PROXEL_UINT lists;
  PROXEL_UINT most_few;
  PROXEL_UINT filter_stride; // words between queries' bitsets; 0: shared
  PROXEL_UINT first_rank;
  PROXEL_UINT result_stride; // results of a query; as it is made, 0 stands for k
  PROXEL_UINT finish;        // as in decode_keys
};
#define PROXEL_SCAN_UNDECIDED_CONSTANTS(constant) \
  constant(0, PROXEL_METRIC, metric, METRIC, 0u) \
  constant(1, PROXEL_UINT, list_length, LIST_LENGTH, 1u) \
  constant(2, PROXEL_UINT, fours, FOURS, 0u)
PROXEL_CONSTANTS(ScanUndecided, PROXEL_SCAN_UNDECIDED_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ScanUndecidedParameters, ScanUndecidedConstants> scan_undecided;
/// Bytes from the tickets to the list of undecided queries behind them.
constexpr std::uint64_t undecided_ticket_bytes(std::uint32_t lists) { return (std::uint64_t{lists} * 4 + 15) / 16 * 16; }
/// Bytes that rounds of k neighbours take of `found` in front of the lists.
constexpr std::uint64_t undecided_after_bytes(std::uint32_t lists) { return std::uint64_t{lists} * 8; }
/// @param workgroups  how many share the work
Pass make_scan_undecided(ScanUndecidedParameters parameters, Metric metric, std::uint32_t workgroups);
#endif
PROXEL_PASS_END
#endif
