// screen_threshold: from the lower bounds of many groups, the score below which
// no row can be among a query's k nearest.
// Several groups may count as one, with the largest of their bounds, so that a few
// times as many as the rank says are left, and L may be a little less than the bound of that rank, the largest being of rank 1.
// With that L the threshold is
//   L - relative_slack * max(half_norm - L, 0) - fixed_slack
// (screen_pack), lowered by the rounding of this formula. It is +infinity, so
// that nothing is collected and the query goes to the next rung, where there
// are fewer lower bounds than that of at least -2^120 (rows whose squared norm
// overflows are not screened, and score less) or the query is not certifiable.
// Of rank k it holds, where the bounds do. Another rank, or bounds of a sample that need not be of the rows as they are, makes it an
// estimate: fewer than k rows may score as much. What is collected decides then whether it held (screen_refine), for which a query with such a threshold is marked in its bounds: `certifiable` becomes
// screen_estimated, and the last of the eight the threshold.
// Constants: run, a power of two, at least max(rank, 2), for ranks up to screen_most_sorted; or 0, for any: a kernel finds
// the bound by counting (screen_survivors), without folding groups.
// Grid: x strides over the queries.
#ifndef PROXEL_PASSES_SCREEN_THRESHOLD_H
#define PROXEL_PASSES_SCREEN_THRESHOLD_H
#include "types.h"
PROXEL_PASS_BEGIN
// Groups that are left at most.
PROXEL_CONSTANT screen_most_groups = 4096u;
// The largest rank for which lower bounds are sorted, and screen_refine serves.
PROXEL_CONSTANT screen_most_sorted = 1024u;
struct ScreenThresholdParameters {
  PROXEL_ADDRESS lower_bounds;  // binary32 [queries x groups]
  PROXEL_ADDRESS query_bounds;  // eight binary32 per query; address 0: scores are exact; in and out where `estimated`
  PROXEL_ADDRESS thresholds;    // out: binary32 per query
  // As in screen_canonical: the queries are slots, and there are no more than
  // selected[0] - first_selected of them; 0: all.
  PROXEL_ADDRESS selected;
  PROXEL_UINT query_count;
  PROXEL_UINT groups;
  PROXEL_UINT rank;             // 1 … groups
  PROXEL_UINT first_selected;
  PROXEL_UINT estimated;        // 1 or 0; 1 only with bounds of queries
  PROXEL_UINT reserved;
};
#define PROXEL_SCREEN_THRESHOLD_CONSTANTS(constant) constant(0, PROXEL_UINT, run, KTH_RUN, 32u)
PROXEL_CONSTANTS(ScreenThreshold, PROXEL_SCREEN_THRESHOLD_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ScreenThresholdParameters, ScreenThresholdConstants> screen_threshold;
/// @param counting_workgroup  0: lower bounds are kept at hand, the rank is at most screen_most_sorted; else they are counted, and
///                            read for it each time, by workgroups of this size, a power of two, 64 … 512
/// @param workgroup_size      32, 64 or 128, where they are kept at hand; a kernel may choose its own
Pass make_screen_threshold(const ScreenThresholdParameters& parameters, std::uint32_t counting_workgroup = 0,
                           std::uint32_t workgroup_size = 128);
#endif
PROXEL_PASS_END
#endif
