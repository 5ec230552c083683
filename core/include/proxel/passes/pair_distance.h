// pair_distance: the distance matrix (first kernel of Garcia 2010, section
// 2.2): every invocation computes the distance of one query to one row, then
// of its next pair. Distances are canonical and stored as distance keys (types.h).
// Constants: metric, accumulated.
// Grid: x strides over blocks of 32 pairs, pair_rows rows by pair_queries
// queries, so that neighbours share what they read.
#ifndef PROXEL_PASSES_PAIR_DISTANCE_H
#define PROXEL_PASSES_PAIR_DISTANCE_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT pair_rows = 8u;
PROXEL_CONSTANT pair_queries = 4u;
struct PairDistanceParameters {
  Rows rows;
  PROXEL_ADDRESS queries;    // binary32, [query_count x dimensions], row-major
  // Out: 32-bit distance keys, [row_count x query_count], row i at
  // keys + 4 * i * row_pitch. At most 2^31 elements.
  PROXEL_ADDRESS keys;
  PROXEL_UINT dimensions;
  PROXEL_UINT query_count;
  PROXEL_UINT first_row;     // rows first_row … first_row + row_count - 1, all below rows.count
  PROXEL_UINT row_count;
  PROXEL_UINT row_pitch;     // 32-bit words between rows
  PROXEL_UINT query_stride;  // elements between queries
};
#define PROXEL_PAIR_DISTANCE_CONSTANTS(constant) constant(0, PROXEL_METRIC, metric, METRIC, 0u)
PROXEL_CONSTANTS(PairDistance, PROXEL_PAIR_DISTANCE_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<PairDistanceParameters, PairDistanceConstants> pair_distance;
Pass make_pair_distance(const PairDistanceParameters& parameters, Metric metric);
#endif
PROXEL_PASS_END
#endif
