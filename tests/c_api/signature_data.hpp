#pragma once

// Feature signatures for both interfaces.

#include "proxel/signatures.hpp"
#include "support.hpp"

namespace proxel::c_test {

inline constexpr std::uint32_t signature_dimensions = 5, longest_signature = 7;

inline Signatures random_signatures(std::uint64_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  Signatures signatures(signature_dimensions);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t length = 1 + generator() % longest_signature;
    const Matrix<float> centroids =
        random_matrix(length, signature_dimensions, static_cast<std::uint32_t>(generator()));
    const std::vector<float> weights(length, 1 / static_cast<float>(length));
    signatures.add({centroids.data(), length * signature_dimensions}, weights);
  }
  return signatures;
}

inline proxel_signatures c_signatures(const Signatures& signatures) {
  proxel_signatures list = PROXEL_SIGNATURES_INIT;
  list.offsets = signatures.offsets().data();
  list.centroids = signatures.centroids().data();
  list.weights = signatures.weights().data();
  list.count = signatures.size();
  list.dimensions = signatures.dimensions();
  return list;
}

}  // namespace proxel::c_test
