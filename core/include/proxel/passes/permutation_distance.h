// permutation_distance: how far the permutations of objects are from a query's.
//   footrule:      the sum of |a - b| over all permutants (Spearman's footrule)
//   spearman_rho:  the sum of (a - b)^2
//   kendall_tau:   pairs of permutants that the two see in opposite order; two past the
//                  kept ones have none
// where a and b are a permutant's positions (permutations.h).
// Workgroup (x, y) takes the objects 128 j … 128 j + 127 of query y, j = x, x + groups, …
// Constants: [0] workgroup size, 128; [1] which of them.
// Grid: x = groups, y = queries.
#ifndef PROXEL_PASSES_PERMUTATION_DISTANCE_H
#define PROXEL_PASSES_PERMUTATION_DISTANCE_H
#include "permutations.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT permutation_footrule = 0u;
PROXEL_CONSTANT permutation_spearman_rho = 1u;
PROXEL_CONSTANT permutation_kendall_tau = 2u;
struct PermutationDistanceParameters {
  PROXEL_ADDRESS positions;        // of the objects, as permutations writes them
  PROXEL_ADDRESS query_positions;  // of the queries, the same
  PROXEL_ADDRESS distances;        // out: binary32 [queries x objects], distance_stride apart
  PROXEL_UINT objects;
  PROXEL_UINT permutants;
  PROXEL_UINT first_query;         // of query_positions, of grid row 0
  PROXEL_UINT distance_stride;     // at least objects
};
PROXEL_PASS_END
#endif
