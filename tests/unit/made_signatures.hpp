#pragma once

#include <random>
#include <vector>

#include "proxel/signatures.hpp"

namespace proxel::unit {

/// Signatures of 1 to `longest` centroids, coordinates in [0, spread), whose weights add up to 1.
inline Signatures random_signatures(std::uint64_t count, std::uint64_t longest, std::uint32_t dimensions,
                                    std::uint32_t seed, float spread = 1) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(0, spread);
  Signatures made(dimensions);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::vector<float> weights(1 + generator() % longest), centroids(weights.size() * dimensions);
    for (float& value : centroids) value = uniform(generator);
    for (float& weight : weights) weight = 1.0f / static_cast<float>(weights.size());
    made.add(centroids, weights);
  }
  return made;
}

}  // namespace proxel::unit
