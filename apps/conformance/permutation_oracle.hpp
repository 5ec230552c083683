#pragma once

// What the definition of permutation indexes says (Chavez, Figueroa, Navarro 2005; Lopresti
// 2013, section 3). Shares no code with the library.

#include <cstdint>
#include <span>
#include <vector>

#include "proxel/passes/permutation_distance.h"

namespace proxel::conformance {

inline constexpr passes::PermutationDistance all_permutation_distances[] = {passes::PermutationDistance::footrule,
                                                                            passes::PermutationDistance::spearman_rho,
                                                                            passes::PermutationDistance::kendall_tau};

/// Where each permutant stands in an object's order.
using Positions = std::vector<int>;

/// @param order   permutants, nearest first
/// @param prefix  how many of them count, from the nearest; 0: all
Positions positions_in(std::span<const std::uint32_t> order, std::uint32_t prefix);

std::uint32_t permutation_distance(passes::PermutationDistance distance, const Positions& a, const Positions& b);

/// How many of the objects are candidates.
std::uint64_t candidates_of(std::uint64_t objects, std::uint64_t k, double fraction);

/// The objects of the nearest permutations, in order.
std::vector<std::uint32_t> nearest_permutations(passes::PermutationDistance distance, const Positions& query,
                                                const std::vector<Positions>& objects, std::uint64_t count);

}  // namespace proxel::conformance
