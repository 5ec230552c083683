#pragma once

#include <cstdint>
#include <functional>

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

}  // namespace proxel::permutation
