#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "proxel/permutation.hpp"
#include "strings/string_distances.hpp"

namespace proxel::strings {

/// Strings with their permutations, in device memory.
struct StoredPermutations {
  Alphabet alphabet;  // of the strings and of the permutants, which may have been removed
  StoredStrings strings;
  StoredStrings permutants;
  passes::PermutationDistance distance;
  std::uint32_t kept;  // of the nearest permutants, whose positions count
  double build_compute_milliseconds = 0;  // where positions were computed
  std::unique_ptr<Buffer> positions;

  /// @param permutants  1…256
  /// @param positions   as the pass `permutations` leaves them; where they are empty they
  ///                    are computed
  StoredPermutations(Device& device, const Strings& strings, const Strings& permutants,
                     const PermutationOptions& options, const std::vector<std::uint32_t>& positions);

  /// The positions, from the device.
  std::vector<std::uint32_t> read_positions(Device& device) const;
};

}  // namespace proxel::strings
