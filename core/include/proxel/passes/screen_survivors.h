// screen_survivors: what screen_refine does first, for more neighbours than a workgroup can keep at hand: of the
// rows that were collected for a query those that may be among its k nearest, and their canonical distances.
// Per query: L is at most the k-th largest of (score - error) over the collected rows, and more of these are as large
// only where a few more rows are kept; rows with score + error below
// L - relative_slack * max(half_norm - L, 0) - fixed_slack, and rows that score -infinity (screen_mask), are dropped.
// The others' keys are written in any order, and counted. The query is undecided, its count 0 and its number
// appended to `undecided`, where screen_refine would leave it so for what was collected, or where more rows are left
// than there is room for. screen_runs sorts the keys.
// With `selected` the queries of the lists are chosen as in screen_refine.
// Constants: metric, accumulated; element, as of screen_refine.
// Grid: x strides over the queries of the lists.
#ifndef PROXEL_PASSES_SCREEN_SURVIVORS_H
#define PROXEL_PASSES_SCREEN_SURVIVORS_H
#include "types.h"
PROXEL_PASS_BEGIN
// A kernel finds the k-th of many keys by counting how many begin with which bits: 11 of them, then 11, then 10.
PROXEL_CONSTANT counting_bins = 2048u;
struct ScreenSurvivorsParameters {
  Rows rows;                       // the database as it is evaluated canonically
  PROXEL_ADDRESS queries;          // binary32 [queries x dimensions], row-major
  PROXEL_ADDRESS selected;         // 0: the queries of the lists are 0, 1, 2, …
  PROXEL_ADDRESS row_bounds;       // four binary32 per tile of 128 rows; 0: scores are exact
  PROXEL_ADDRESS query_bounds;     // eight binary32 per query; 0: scores are exact
  PROXEL_ADDRESS found;            // (score, index) [queries x splits x capacity]
  PROXEL_ADDRESS counts;           // 32-bit [queries x splits]
  PROXEL_ADDRESS survivors;        // out: keys [queries x room], of which as many as are counted are written
  PROXEL_ADDRESS survivor_counts;  // out: 32-bit [queries], 0 or at least k
  PROXEL_ADDRESS undecided;        // in and out: as in screen_refine
  PROXEL_UINT dimensions;
  PROXEL_UINT splits;
  PROXEL_UINT capacity;
  PROXEL_UINT k;
  PROXEL_UINT room;                // at least k
  PROXEL_UINT first_query;         // number of query 0 in `undecided`; with `selected`: 0
  PROXEL_UINT first_selected;
  PROXEL_UINT query_count;         // of the lists
};
#define PROXEL_SCREEN_SURVIVORS_CONSTANTS(constant) \
  constant(0, PROXEL_METRIC, metric, METRIC, 0u) \
  constant(1, PROXEL_UINT, element, ELEMENT, 0u)
PROXEL_CONSTANTS(ScreenSurvivors, PROXEL_SCREEN_SURVIVORS_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ScreenSurvivorsParameters, ScreenSurvivorsConstants> screen_survivors;
/// Shared memory for the sums of a workgroup's subgroups, bytes: two turns of them, and no subgroup has less than four invocations.
constexpr std::uint32_t subgroup_sums_bytes(std::uint32_t workgroup_size) { return 2 * workgroup_size / 4 * 4; }
/// Shared memory in which a workgroup of at most 512 finds the k-th of many keys by counting, bytes.
constexpr std::uint32_t counting_bytes = 4 * counting_bins + subgroup_sums_bytes(512) + 16;
/// @param workgroup_size  a power of two, 64 … 512
/// @param element         element_float32, element_int8 or element_uint8
/// @param few             of the queries of the lists as a rule few are there: few workgroups stride over them
Pass make_screen_survivors(const ScreenSurvivorsParameters& parameters, Metric metric, std::uint32_t workgroup_size,
                           bool few = false, std::uint32_t element = element_float32);
#endif
PROXEL_PASS_END
#endif
