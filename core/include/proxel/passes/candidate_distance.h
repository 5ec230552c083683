// candidate_distance: canonical distances of a few rows per query, in their order.
// Candidate j of query i is the 32-bit row index at candidates + 4 * (i * candidate_stride + j).
// Indices outside of first_index … first_index + rows.count - 1 are passed over, and what stands for them is left as it is.
// Constants: metric, accumulated.
// Grid: x strides over candidates, y = queries.
#ifndef PROXEL_PASSES_CANDIDATE_DISTANCE_H
#define PROXEL_PASSES_CANDIDATE_DISTANCE_H
#include "types.h"
PROXEL_PASS_BEGIN
struct CandidateDistanceParameters {
  Rows rows;
  PROXEL_ADDRESS queries;     // binary32, [queries x dimensions], row-major
  PROXEL_ADDRESS candidates;  // 32-bit, [queries x count]
  PROXEL_ADDRESS keys;        // out: 32-bit distance keys (types.h) [queries x count]
  PROXEL_UINT dimensions;
  PROXEL_UINT query_stride;   // elements between queries
  PROXEL_UINT count;          // candidates per query
  PROXEL_UINT keys_stride;    // 32-bit words between queries
  PROXEL_UINT first_index;    // index of row 0
  PROXEL_UINT candidate_stride;
};
#define PROXEL_CANDIDATE_DISTANCE_CONSTANTS(constant) constant(0, PROXEL_METRIC, metric, METRIC, 0u)
PROXEL_CONSTANTS(CandidateDistance, PROXEL_CANDIDATE_DISTANCE_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<CandidateDistanceParameters, CandidateDistanceConstants> candidate_distance;
Pass make_candidate_distance(const CandidateDistanceParameters& parameters, Metric metric, std::uint32_t query_count);
#endif
PROXEL_PASS_END
#endif
