#pragma once

#include <span>
#include <vector>

#include "proxel/papers/krulis.hpp"

namespace proxel::krulis {

/// Throws Error(invalid_argument) unless the options are in their ranges.
void check_options(const KrulisOptions& options);

/// Throws Error(invalid_argument) unless each is one of so many objects and no other's.
void check_pivots(std::vector<std::uint32_t> pivots, std::uint64_t objects);

/// The sum of each signature's weights.
/// @param name  of the signatures: "signatures" or "queries"
/// Throws Error(invalid_argument) unless sqfd_block can take them.
std::vector<double> checked_weight_sums(const char* name, const Signatures& signatures);

}  // namespace proxel::krulis
