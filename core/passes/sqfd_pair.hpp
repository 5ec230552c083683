#pragma once

// A query and an object of sqfd_block, as the host reads them.

#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "passes/memory.hpp"
#include "proxel/passes/sqfd_block.h"

namespace proxel::passes {

/// The concatenation of the centroids of both.
class SqfdPairView {
 public:
  /// @param place  of the object in the block
  SqfdPairView(const SqfdBlockParameters& p, std::uint64_t place)
      : dimensions_(p.dimensions),
        query_length_(p.query_length),
        query_(at<const float>(p.query_centroids)),
        query_weights_(at<const float>(p.query_weights)) {
    const std::uint64_t object = p.objects == 0 ? p.first_object + place : at<const std::uint32_t>(p.objects)[place];
    const auto* offsets = at<const std::uint32_t>(p.offsets);
    const std::uint64_t first = offsets[object];
    object_length_ = static_cast<std::uint32_t>(offsets[object + 1] - first);
    object_ = at<const float>(p.centroids) + first * dimensions_;
    object_weights_ = at<const float>(p.weights) + first;
  }

  std::uint32_t length() const { return query_length_ + object_length_; }
  const float* centroid(std::uint32_t i) const {
    return i < query_length_ ? query_ + std::uint64_t{i} * dimensions_
                             : object_ + std::uint64_t{i - query_length_} * dimensions_;
  }
  float weight(std::uint32_t i) const {
    return i < query_length_ ? query_weights_[i] : -object_weights_[i - query_length_];
  }

 private:
  std::uint32_t dimensions_, query_length_, object_length_ = 0;
  const float *query_, *query_weights_, *object_ = nullptr, *object_weights_ = nullptr;
};

template <typename Real>
Real sqfd_scale(const SqfdBlockParameters& p) {
  if constexpr (std::is_same_v<Real, float>)
    return std::bit_cast<float>(p.scale);
  else
    return std::bit_cast<double>(p.scale_double);
}

/// What the first invocation does last.
template <typename Real>
float sqfd_root(const std::array<Real, sqfd_workgroup>& sums) {
  Real total = 0;
  for (const Real sum : sums) total = total + sum;
  // IEEE 754 requires the square root to be correctly rounded.
  return total < Real(FLT_MIN) ? 0.0f : std::sqrt(static_cast<float>(total));
}

}  // namespace proxel::passes
