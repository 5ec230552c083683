#pragma once

// Where permutation_distance writes (proxel/passes/permutation_distance.h).

#include <cstdint>
#include <limits>

#include "passes/memory.hpp"
#include "proxel/passes/permutation_distance.h"

namespace proxel::passes {

/// The distances of one query.
class PermutationDistances {
 public:
  PermutationDistances(const PermutationDistanceParameters& parameters, std::uint32_t content, std::uint64_t query)
      : p_(parameters), content_(content), first_(query * parameters.distance_stride) {}

  void put(std::uint64_t object, std::uint32_t distance) const {
    if (content_ == permutation_binary32)
      at<float>(p_.distances)[first_ + object] = static_cast<float>(distance);
    else
      put_bits(object, distance);
  }
  /// What stands behind the last object.
  void end() const {
    for (std::uint64_t i = p_.objects; i % permutation_objects_at_once != 0; ++i)
      put_bits(i, std::numeric_limits<std::uint32_t>::max());
  }

 private:
  void put_bits(std::uint64_t i, std::uint32_t bits) const {
    if (content_ == permutation_two_bytes)
      at<std::uint16_t>(p_.distances)[first_ + i] = static_cast<std::uint16_t>(bits);
    else
      at<std::uint32_t>(p_.distances)[first_ + i] = bits;
  }

  const PermutationDistanceParameters& p_;
  std::uint32_t content_;
  std::uint64_t first_;
};

}  // namespace proxel::passes
