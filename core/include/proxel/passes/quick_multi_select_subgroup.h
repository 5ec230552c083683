// quick_multi_select_subgroup: the k smallest of each row of a matrix, one
// subgroup per row (Komarov 2013, "GPU-based quick multi-select").
//
// A row is partitioned around pivots until its k smallest keys stand in
// partitions short enough to be sorted. Keys are unique, (value, column), and a
// pivot is a whole key, so that ties are split like any others. Segments as
// wide as the subgroup are read; each invocation votes whether its key goes
// left of the pivot, and its place is the number of bits that the vote set in
// lower invocations. Four segments at a time are staged in shared memory, left
// keys from the left end and right keys from the right, and written from there
// to both sides of an auxiliary array. A partition is not copied: a stack
// refers to it by its first key, its length and the array it lies in. Its place
// in the array is its place among the smallest, so that each partition is
// sorted to where its keys belong and the result ascends.
//
// Constants: teams, rows that a workgroup works on at once: one for each of its subgroups.
// Grid: x = workgroups that stride over the rows, a row per subgroup.
#ifndef PROXEL_PASSES_QUICK_MULTI_SELECT_SUBGROUP_H
#define PROXEL_PASSES_QUICK_MULTI_SELECT_SUBGROUP_H
#include "types.h"
PROXEL_PASS_BEGIN
struct QuickMultiSelectParameters {
  PROXEL_ADDRESS values;     // binary32, row r at values + 4 * r * row_stride
  PROXEL_ADDRESS offsets;    // binary32, [columns]: added to each row's values as they are read; address 0: none
  PROXEL_ADDRESS payload;    // 32-bit, laid out as the values; address 0: none
  PROXEL_ADDRESS auxiliary;  // clobbered: for each row in work at once two arrays of `columns` keys
  PROXEL_ADDRESS indices;    // out: 32-bit, row r at indices + 4 * r * selected_stride: payload, or first_index + column where there is none; padded with all ones
  PROXEL_ADDRESS selected;   // out: binary32, as the indices: the values, NaN as 0x7FC00000 and -0 as +0; padded with +infinity (-infinity for largest first)
  PROXEL_UINT rows;
  PROXEL_UINT columns;       // at least 1
  PROXEL_UINT row_stride;    // elements between rows
  PROXEL_UINT k;             // values written per row
  PROXEL_UINT selected_stride;  // elements between rows
  PROXEL_UINT first_index;
  PROXEL_UINT largest_first; // 1 where the largest values are wanted
  PROXEL_UINT as_keys;       // 1: `selected` receives distance keys (types.h), padded with all ones
};
// Keys of a row that each invocation reads, stages and writes at a time.
PROXEL_CONSTANT quick_multi_select_segments = 4u;
// Keys per invocation that are sorted in shared memory: the longest partition
// that is not partitioned again, and the most keys a pivot is sampled from.
PROXEL_CONSTANT quick_multi_select_sorted = 8u;
// Partitions that wait on the stack: the longer of two waits, and every one of
// more than 32 keys is split, so that 2^32 keys need no more.
PROXEL_CONSTANT quick_multi_select_stack = 28u;
#define PROXEL_QUICK_MULTI_SELECT_SUBGROUP_CONSTANTS(constant) constant(0, PROXEL_UINT, teams, TEAMS, 4u)
PROXEL_CONSTANTS(QuickMultiSelectSubgroup, PROXEL_QUICK_MULTI_SELECT_SUBGROUP_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<QuickMultiSelectParameters, QuickMultiSelectSubgroupConstants> quick_multi_select_subgroup;
/// Rows that a workgroup of quick_multi_select_subgroup works on at once.
std::uint32_t quick_multi_select_rows(std::uint32_t subgroup_size);
/// @param subgroup_size  of the device, 4…128
/// @param workgroups     the auxiliary memory holds 2 * columns keys for each of
///                       their quick_multi_select_rows(subgroup_size) rows
Pass make_quick_multi_select_subgroup(const QuickMultiSelectParameters& parameters, std::uint32_t subgroup_size,
                                      std::uint32_t workgroups);
#endif
PROXEL_PASS_END
#endif
