#pragma once

// The sums of signature_screen and signature_pairs.

#include <cmath>

#include "passes/signature_sums.hpp"

namespace proxel::passes {

/// C of scaled weights, in plain binary32.
inline float screened_cross(const SignaturesAt& queries, std::uint64_t query, const SignaturesAt& objects,
                            std::uint64_t object, int kind, float factor) {
  float cross = 0;
  for (std::uint64_t j = 0; j < objects.length(object); ++j) {
    const float* of_object = objects.coordinates(objects.first_place(object) + j);
    float sum = 0;
    for (std::uint64_t i = 0; i < queries.length(query); ++i) {
      const float* of_query = queries.coordinates(queries.first_place(query) + i);
      float squared = 0;
      for (std::uint64_t k = 0; k < objects.dimensions(); ++k) {
        const float difference = of_query[k * signature_block] - of_object[k * signature_block];
        squared += difference * difference;
      }
      float similarity = 0;
      if (kind == arithmetic::similarity_gaussian) similarity = std::exp2(squared * factor);
      if (kind == arithmetic::similarity_minus) similarity = -std::sqrt(squared);
      if (kind == arithmetic::similarity_heuristic) similarity = 1 / (factor + std::sqrt(squared));
      sum += queries.weight(queries.first_place(query) + i) * similarity;
    }
    cross += objects.weight(objects.first_place(object) + j) * sum;
  }
  return cross;
}

}  // namespace proxel::passes
