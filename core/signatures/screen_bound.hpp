#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "proxel/signatures.hpp"
#include "signatures/similarity_scale.hpp"

namespace proxel::signatures {

/// How far what signature_screen finds may be from the canonical squared distances;
/// docs/proofs/screened-signatures.md derives it.
class ScreenBound {
 public:
  ScreenBound(const Signatures& signatures, const SimilarityFunction& function);

  /// The bound of every signature to query i; infinite where squares might leave the range of binary32.
  double of(const Signatures& queries, std::uint64_t i) const;
  bool serves(const Signatures& queries) const;
  /// Whether it would serve the signatures of the index as queries.
  bool serves_own() const;

  /// What signature_limits adds for query i.
  float margin(const Signatures& queries, std::uint64_t i) const;
  /// The largest screened square that may belong to a distance within the radius.
  float limit(const Signatures& queries, std::uint64_t i, float radius) const;

 private:
  double largest_similarity(std::span<const float> of_query) const;

  SimilarityFunction function_;
  double largest_weight_ = 0;
  std::uint64_t longest_;
  std::vector<float> least_, most_;  // coordinates, by dimension
};

}  // namespace proxel::signatures
