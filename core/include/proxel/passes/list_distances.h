// list_distances: distances, and where they are listed the rows that they belong to, out of distance keys, for a selection
// of any number of neighbours.
// As a rule (distances_all) value i of a query is what has distance key i, and so on up to a multiple of four; values may lie
// at the place of the keys.
// Else a query's columns are divided into parts, and only those count whose row the filter (types.h) allows and whose key lies
// behind `after`. distances_counted counts those of each part. distances_listed writes them in the order of their columns,
// behind as many as the parts before have.
// Constants: content, as above; filtered, whether there is a filter, not with distances_all.
// Grid: y = queries; x = parts, or strides over the columns with distances_all.
#ifndef PROXEL_PASSES_LIST_DISTANCES_H
#define PROXEL_PASSES_LIST_DISTANCES_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT distances_all = 0u;
PROXEL_CONSTANT distances_counted = 1u;
PROXEL_CONSTANT distances_listed = 2u;
// Neighbouring columns that an invocation looks at together, in fours.
PROXEL_CONSTANT distances_fours = 4u;
struct ListDistancesParameters {
  PROXEL_ADDRESS keys;         // 32-bit distance keys, [queries x columns], keys_stride words apart, 16-byte aligned
  PROXEL_ADDRESS values;       // out, unless they are counted: binary32, values_stride apart, 16-byte aligned
  PROXEL_ADDRESS rows;         // out where they are listed: 32-bit, the index of each value's row, values_stride apart
  PROXEL_ADDRESS counts;       // 32-bit [queries x counts_stride]: what parts have; out where they are counted
  PROXEL_ADDRESS filter_bits;  // bits of rows, filter_stride words between queries; address 0: none
  PROXEL_ADDRESS after;        // one key per query, after_stride keys apart; address 0: none; not with distances_all
  PROXEL_UINT columns;
  PROXEL_UINT keys_stride;     // a multiple of 4, as values_stride is
  PROXEL_UINT values_stride;
  PROXEL_UINT first_index;     // index of column 0's row
  PROXEL_UINT filter_stride;
  PROXEL_UINT after_stride;
  PROXEL_UINT largest_first;   // 1 where ip was accumulated
  PROXEL_UINT part_columns;    // a multiple of 4
  PROXEL_UINT first_part;      // of these columns; there may be others before
  PROXEL_UINT counts_stride;
};
#define PROXEL_LIST_DISTANCES_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, content, CONTENT, distances_all) \
  constant(1, PROXEL_BOOL, filtered, FILTERED, false)
PROXEL_CONSTANTS(ListDistances, PROXEL_LIST_DISTANCES_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ListDistancesParameters, ListDistancesConstants> list_distances;
/// Without `counts` all distances; without `values` they are counted.
/// @param workgroup_size  a power of two, 64 … 512
Pass make_list_distances(const ListDistancesParameters& parameters, std::uint32_t query_count,
                         std::uint32_t workgroup_size);
#endif
PROXEL_PASS_END
#endif
