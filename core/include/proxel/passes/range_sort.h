// range_sort: one step of sorting each query's matches in place, ascending by
// (distance key, index). A query's matches lie from its offset to the next one
// (range_offsets.h); where that is past `capacity` the query is left alone.
// Bitonic sorting (Batcher 1968) in which every exchange leaves the smaller of two
// in front, so that what would lie behind the last match is simply not there.
//   merged_log2 = 0: runs of range_run matches are sorted.
//   Otherwise sorted runs of half of 2^merged_log2 matches become sorted runs of
//   2^merged_log2 by steps of falling distance: with distance_log2 =
//   merged_log2 - 1 match i of the lower half of a run is compared with the i-th
//   from its end, with smaller ones matches 2^distance_log2 apart are, and with
//   distance_log2 = range_run_log2 - 1 all steps from there to 1 are done at once.
//   Queries with at most half of 2^merged_log2 matches are already in order.
// Grid: x workgroups share the matches of a query, y = queries.
#ifndef PROXEL_PASSES_RANGE_SORT_H
#define PROXEL_PASSES_RANGE_SORT_H
#include "types.h"
PROXEL_PASS_BEGIN
// Matches that a workgroup sorts in 16 KiB of shared memory.
PROXEL_CONSTANT range_run_log2 = 11u;
PROXEL_CONSTANT range_run = 2048u;
struct RangeSortParameters {
  PROXEL_ADDRESS offsets;        // 64-bit, [queries + 1]
  PROXEL_ADDRESS indices;        // in and out: 32-bit, [capacity]
  PROXEL_ADDRESS distance_keys;  // in and out: 32-bit, [capacity]
  PROXEL_ADDRESS capacity;       // a 64-bit number
  PROXEL_UINT merged_log2;       // 0, or range_run_log2 + 1 … 32
  PROXEL_UINT distance_log2;     // range_run_log2 - 1 … merged_log2 - 1
};
#ifdef __cplusplus
extern const PassKindOf<RangeSortParameters> range_sort;
/// @param groups  workgroups that share the matches of a query
Pass make_range_sort(const RangeSortParameters& parameters, std::uint32_t groups, std::uint32_t query_count);
#endif
PROXEL_PASS_END
#endif
