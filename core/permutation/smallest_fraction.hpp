#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "proxel/index.hpp"
#include "proxel/permutation.hpp"

namespace proxel::permutation {

/// Throws Error(invalid_argument) for a recall that is none.
void check_recall(double recall);

/// The smallest fraction, within a twentieth of it, whose recall is enough; recall never falls
/// where the fraction grows, and is 1 for all.
/// @param least      the smallest fraction that may be
/// @param queries    of the sample
/// @param recall_at  what a fraction reaches
FractionChoice smallest_fraction(double recall, double least, std::uint64_t queries, const Progress& progress,
                                 const std::function<double(double)>& recall_at);

/// Queries whose k nearest are to be found.
struct NearestSample {
  std::uint64_t objects = 0;  ///< of the index
  std::uint64_t queries = 0;
  std::span<const std::uint32_t> held_out = {};  ///< the number of each, which it may not find; may be empty
  bool largest_first = false;                    ///< of the distances
};
/// The same, where recall is the share of neighbours that are no farther than the true k-th.
/// @param search  (k, fraction): the neighbours of all queries of the sample
FractionChoice smallest_fraction_of_nearest(double recall, std::uint64_t k, const NearestSample& sample,
                                            const Progress& progress,
                                            const std::function<Neighbors(std::uint64_t, double)>& search);

}  // namespace proxel::permutation
