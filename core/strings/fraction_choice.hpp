#pragma once

#include <cstdint>
#include <vector>

#include "proxel/permutation.hpp"

namespace proxel::strings {

struct FractionSample {
  Strings queries;
  std::vector<std::uint32_t> held_out;  ///< the number of each, which it may not find; may be empty
};

/// See PermutationIndex.
FractionChoice choose_fraction(PermutationIndex& index, double recall, std::uint64_t k, const FractionSample& sample,
                               const Progress& progress);
FractionChoice choose_range_fraction(PermutationIndex& index, double recall, float radius, const FractionSample& sample,
                                     const Progress& progress);

}  // namespace proxel::strings
