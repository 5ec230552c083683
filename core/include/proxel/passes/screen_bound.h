// screen_bound: higher thresholds for queries of which a distance is known that their k-th nearest row does not exceed, or
// by ip a product that it is not below: a row that scores less truly is farther, as docs/proofs/screened.md, "From a known
// distance", derives.
//
// A distance is known where it is finite and not negative, a product where it is finite. Where what follows from it is at
// least -2^120, the query is certifiable and its threshold (screen_threshold) is lower or +infinity, that is the threshold instead, and `certifiable`
// becomes screen_bounded: screen_refine takes fewer than k rows for all that there are. Where there are no other thresholds
// (`alone`), that of any other query becomes +infinity.
// Grid: x strides over the queries.
#ifndef PROXEL_PASSES_SCREEN_BOUND_H
#define PROXEL_PASSES_SCREEN_BOUND_H
#include "types.h"
PROXEL_PASS_BEGIN
// As `certifiable` is 1 or 0 of others, and screen_estimated of queries whose threshold screen_threshold estimates. A binary32.
PROXEL_CONSTANT screen_bounded = 2u;
PROXEL_CONSTANT screen_estimated = 3u;
struct ScreenBoundParameters {
  PROXEL_ADDRESS bounds;        // binary32 per query, as the metric accumulates
  PROXEL_ADDRESS query_bounds;  // in and out: eight binary32 per query (screen_pack)
  PROXEL_ADDRESS frame;         // screen_origin's; 0: the scale is 1, and `origin` that of all dimensions
  PROXEL_ADDRESS thresholds;    // in, unless `alone`, and out: binary32 per query
  PROXEL_ADDRESS queries;       // of ip: binary32 [query_count x dimensions]; not read by l2sq
  PROXEL_UINT query_count;
  PROXEL_UINT dimensions;
  PROXEL_UINT alone;            // 1 or 0
  PROXEL_UINT origin;           // where there is no frame
};
#define PROXEL_SCREEN_BOUND_CONSTANTS(constant) constant(0, PROXEL_METRIC, metric, METRIC, 1u)
PROXEL_CONSTANTS(ScreenBound, PROXEL_SCREEN_BOUND_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<ScreenBoundParameters, ScreenBoundConstants> screen_bound;
/// @param metric  l2sq, l2 or ip
Pass make_screen_bound(const ScreenBoundParameters& parameters, Metric metric);
#endif
PROXEL_PASS_END
#endif
