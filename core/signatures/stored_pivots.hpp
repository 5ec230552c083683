#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "proxel/matrix.hpp"
#include "signatures/stored_signatures.hpp"

namespace proxel::signatures {

/// Some of the signatures, in that order.
Signatures picked(const Signatures& signatures, const std::vector<std::uint32_t>& numbers);

/// The error of canonical squared distances, at most; docs/proofs/signatures.md derives it.
/// @param weights    the total of both signatures
/// @param centroids  of both
double canonical_error(std::uint32_t dimensions, std::uint64_t centroids, double weights);

/// Pivots in device memory, what is known of the distances of all signatures to them, and of
/// theirs to each other, as signature_bounds reads it.
struct StoredPivots {
  /// @param numbers    1…signature_pivots signatures
  /// @param distances  canonical, [numbers x signatures]
  StoredPivots(Device& device, const Signatures& signatures, const SimilarityFunction& function,
               const std::vector<std::uint32_t>& numbers, const Matrix<float>& distances);

  StoredSignatures pivots;
  std::uint64_t object_stride;
  std::unique_ptr<Buffer> memory;
  std::uint64_t low, high, inverse_low, inverse_high;  // addresses
};

}  // namespace proxel::signatures
