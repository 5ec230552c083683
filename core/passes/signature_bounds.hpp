#pragma once

// What signature_bounds makes of a query before it looks at objects.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "passes/memory.hpp"
#include "proxel/passes/signature_bounds.h"

namespace proxel::passes {

struct PivotFactors {
  std::array<float, signature_pivots> low{}, high{};  // intervals of the query's distances
  // Factors of the distances between a pair of pivots and an object.
  std::array<float, signature_pivots * signature_pivots> of_near, of_other;

  PivotFactors(const SignatureBoundsParameters& p, std::uint64_t query) {
    const float error = at<const float>(p.query_errors)[query];
    for (std::uint32_t i = 0; i < p.pivots; ++i) {
      const float distance = at<const float>(p.query_distances)[query * signature_pivots + i];
      const float square = distance * distance, some = square * 0x1p-20f;
      const float least = std::sqrt(std::max(square - some - error, 0.0f)), most = std::sqrt(square + some + error);
      low[i] = least - least * 0x1p-20f;
      high[i] = most + most * 0x1p-20f;
    }
    for (std::uint32_t pair = 0; pair < of_near.size(); ++pair) {
      of_near[pair] = low[pair % signature_pivots] * at<const float>(p.inverse_low)[pair];
      of_other[pair] = high[pair / signature_pivots] * at<const float>(p.inverse_high)[pair];
    }
  }
};

/// A bound of a distance as what is written of it.
inline float lowered_square(float bound) {
  const float square = bound * bound;
  return square - square * 0x1p-19f;
}

}  // namespace proxel::passes
