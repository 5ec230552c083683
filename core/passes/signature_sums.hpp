#pragma once

// Signatures when addresses are host pointers (types.h), and their canonical sums.

#include "passes/memory.hpp"
#include "proxel/arithmetic/arithmetic.h"

namespace proxel::passes {

class SignaturesAt {
 public:
  SignaturesAt(const SignatureSet& set, std::uint32_t dimensions) : set_(set), dimensions_(dimensions) {}

  std::uint32_t first_place(std::uint64_t signature) const {
    return at<const std::uint32_t>(set_.spans)[2 * signature];
  }
  std::uint32_t length(std::uint64_t signature) const { return at<const std::uint32_t>(set_.spans)[2 * signature + 1]; }
  std::uint32_t dimensions() const { return dimensions_; }
  /// Coordinate 0; the next is signature_block behind it.
  const float* coordinates(std::uint64_t place) const {
    return at<const float>(set_.coordinates) + place / signature_block * dimensions_ * signature_block +
           place % signature_block;
  }
  float weight(std::uint64_t place) const { return at<const float>(set_.weights)[place]; }
  arithmetic::signature_terms terms(std::uint64_t signature) const {
    arithmetic::signature_terms terms;
    std::memcpy(&terms, at<const std::uint32_t>(set_.terms) + 4 * signature, sizeof terms);
    return terms;
  }

 private:
  const SignatureSet& set_;
  std::uint32_t dimensions_;
};

inline arithmetic::float_float squared_distance(const float* a, const float* b, std::uint32_t dimensions) {
  arithmetic::float_float sum{0, 0};
  for (std::uint64_t k = 0; k < dimensions; ++k)
    sum = arithmetic::sum_with_squared_difference(sum, a[k * signature_block], b[k * signature_block]);
  return sum;
}

/// C of a query and an object.
inline arithmetic::float_float cross_sum(const SignaturesAt& queries, std::uint64_t query, const SignaturesAt& objects,
                                         std::uint64_t object, int kind, float alpha) {
  using namespace arithmetic;
  float_float cross{0, 0};
  for (std::uint64_t j = 0; j < objects.length(object); ++j) {
    const std::uint64_t of_object = objects.first_place(object) + j;
    float_float sum{0, 0};
    for (std::uint64_t i = 0; i < queries.length(query); ++i) {
      const std::uint64_t of_query = queries.first_place(query) + i;
      const float_float squared =
          squared_distance(queries.coordinates(of_query), objects.coordinates(of_object), objects.dimensions());
      sum = sum_with_product(sum, similarity_of(kind, alpha, squared), queries.weight(of_query));
    }
    cross = sum_with_product(cross, sum, objects.weight(of_object));
  }
  return cross;
}

}  // namespace proxel::passes
