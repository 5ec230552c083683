#pragma once

#include <cstdint>
#include <memory>

#include "proxel/device.hpp"
#include "proxel/passes/permutation_distance.h"

namespace proxel::permutation {

/// Permutations of objects in device memory, and how they are compared.
struct StoredPositions {
  std::uint64_t objects = 0;
  std::uint32_t permutants = 0;
  std::uint32_t kept = 0;  // of the nearest permutants, whose positions count
  passes::PermutationDistance distance = passes::PermutationDistance::footrule;
  std::unique_ptr<Buffer> positions;  // as the pass `permutations` leaves them
};

}  // namespace proxel::permutation
