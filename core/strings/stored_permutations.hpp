#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "permutation/stored_positions.hpp"
#include "proxel/permutation.hpp"
#include "strings/string_distances.hpp"

namespace proxel::strings {

/// Strings with their permutations, in device memory.
struct StoredPermutations {
  Alphabet alphabet;  // of the strings and of the permutants, which may have been removed
  StoredStrings strings;
  StoredStrings permutants;
  double build_compute_milliseconds = 0;  // where positions were computed
  permutation::StoredPositions permutations;

  /// @param permutants  1…256
  /// @param positions   as the pass `permutations` leaves them; where they are empty they
  ///                    are computed
  /// @param progress    told of permutants, out of all
  StoredPermutations(Device& device, const Strings& strings, const Strings& permutants,
                     const PermutationOptions& options, const std::vector<std::uint32_t>& positions,
                     const Progress& progress);

  /// The positions, from the device.
  std::vector<std::uint32_t> read_positions(Device& device) const;
};

}  // namespace proxel::strings
