// permutation_distance: how far the permutations of objects are from those of queries.
//   footrule:      the sum of |a - b| over all permutants (Spearman's footrule)
//   spearman_rho:  the sum of (a - b)^2
//   kendall_tau:   pairs of permutants that the two see in opposite order; two past the
//                  kept ones have none
// where a and b are a permutant's positions (permutations.h).
// All are whole numbers, none above largest_permutation_distance. Behind the last object of
// a query, up to a multiple of four, stands the number of all bits set.
// Workgroup (x, y) takes the objects 512 j … 512 j + 511 of the queries 16 y … 16 y + 15,
// j = x, x + groups, …, four objects beside each other in every invocation.
// Workgroup size: 128.
// Constants: distance, permutation_footrule, _spearman_rho or _kendall_tau; content, what is
// written: binary32, or whole numbers of two or four bytes.
// Grid: x = groups, y = tiles of queries.
#ifndef PROXEL_PASSES_PERMUTATION_DISTANCE_H
#define PROXEL_PASSES_PERMUTATION_DISTANCE_H
#include "permutations.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT permutation_footrule = 0u;
PROXEL_CONSTANT permutation_spearman_rho = 1u;
PROXEL_CONSTANT permutation_kendall_tau = 2u;
PROXEL_CONSTANT permutation_binary32 = 0u;
PROXEL_CONSTANT permutation_two_bytes = 2u;
PROXEL_CONSTANT permutation_four_bytes = 4u;
PROXEL_CONSTANT permutation_tile_queries = 16u;
PROXEL_CONSTANT permutation_objects_at_once = 4u;  // of an invocation

// No two permutations of so many permutants are farther apart; of prefixes neither.
PROXEL_FUNCTION PROXEL_UINT largest_permutation_distance(PROXEL_UINT distance, PROXEL_UINT permutants) {
  // Each the other's reverse.
  if (distance == permutation_footrule) return permutants * permutants / 2u;
  if (distance == permutation_kendall_tau) return permutants * (permutants - 1u) / 2u;
  return (permutants * permutants - 1u) * permutants / 3u;
}

struct PermutationDistanceParameters {
  PROXEL_ADDRESS positions;        // of the objects, as permutations writes them
  PROXEL_ADDRESS query_positions;  // of the queries, the same
  PROXEL_ADDRESS distances;        // out: [queries x objects], distance_stride apart, rows 16-byte aligned
  PROXEL_UINT objects;
  PROXEL_UINT permutants;
  PROXEL_UINT first_query;         // of query_positions, of the first distances
  PROXEL_UINT query_count;
  PROXEL_UINT distance_stride;     // at least objects, and a multiple of 16 bytes
  PROXEL_UINT reserved;
};
#define PROXEL_PERMUTATION_DISTANCE_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, distance, DISTANCE, 0u) \
  constant(1, PROXEL_UINT, content, CONTENT, 0u)
PROXEL_CONSTANTS(PermutationDistance, PROXEL_PERMUTATION_DISTANCE_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<PermutationDistanceParameters, PermutationDistanceConstants> permutation_distance;
/// How two orders of the permutants are compared.
enum class PermutationDistance : std::uint32_t {
  footrule = permutation_footrule,
  spearman_rho = permutation_spearman_rho,
  kendall_tau = permutation_kendall_tau,
};
/// @param content  permutation_binary32, permutation_two_bytes or permutation_four_bytes
/// @param groups   workgroups that share the objects of a tile of queries
Pass make_permutation_distance(const PermutationDistanceParameters& parameters, PermutationDistance distance,
                               std::uint32_t content, std::uint32_t groups);
#endif
PROXEL_PASS_END
#endif
