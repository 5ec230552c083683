#pragma once

#include "proxel/signature_index.hpp"

namespace proxel::signatures {

/// Similarities under powers of two (proxel/arithmetic/similarity.h).
struct SimilarityScale {
  /// Throws Error(invalid_argument) for an alpha out of range.
  explicit SimilarityScale(const SimilarityFunction& function);

  int kind;      ///< similarity_kind.h's
  int exponent;  ///< coordinates are multiplied by 2^exponent
  float alpha;   ///< of the scaled coordinates
  int unit;      ///< a similarity is the scaled one times 2^unit

  /// signature_screen's: what a squared distance is multiplied by to be an exponent of 2.
  float screen_factor() const;
};

}  // namespace proxel::signatures
