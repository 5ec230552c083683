// screen_threshold: from the lower bounds of many groups, the score below which
// no row can be among a query's k nearest.
// Where there are more than screen_most_groups lower bounds, several groups count
// as one: with G of them and F = ceil(G / ceil(G / screen_most_groups)), group i
// of F is the largest of the bounds i, i + F, i + 2F, …
// With L the k-th largest of the query's groups, the threshold is
//   L - relative_slack * max(half_norm - L, 0) - fixed_slack
// (screen_pack), lowered by the rounding of this formula. It is +infinity, so
// that nothing is collected and the query goes to the next rung, where there
// are fewer than k lower bounds of at least -2^120 (rows whose squared norm
// overflows are not screened, and score less) or the query is not certifiable.
// Constants: [0] workgroup size.
// Grid: x strides over the queries.
#ifndef PROXEL_PASSES_SCREEN_THRESHOLD_H
#define PROXEL_PASSES_SCREEN_THRESHOLD_H
#include "types.h"
PROXEL_PASS_BEGIN
// Groups among which the k-th is found, at most.
PROXEL_CONSTANT screen_most_groups = 4096u;
struct ScreenThresholdParameters {
  PROXEL_ADDRESS lower_bounds;  // binary32 [queries x groups]
  PROXEL_ADDRESS query_bounds;  // eight binary32 per query
  PROXEL_ADDRESS thresholds;    // out: binary32 per query
  PROXEL_UINT query_count;
  PROXEL_UINT groups;           // at least k
  PROXEL_UINT k;
  PROXEL_UINT reserved;
};
PROXEL_PASS_END
#endif
