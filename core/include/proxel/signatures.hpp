#pragma once

// Feature signatures: what stands for an image, or anything else of varying complexity,
// in searches by the signature quadratic form distance (Beecks et al. 2010; Krulis et al. 2011).

#include <cstdint>
#include <span>
#include <vector>

#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// Feature signatures in host memory, one after another: each some centroids of the same
/// dimensionality, with a weight per centroid.
class Signatures {
 public:
  /// The largest magnitude of a coordinate or weight, which keeps every square of a
  /// difference, and every sum of them, finite.
  static constexpr float largest_value = 1e15f;
  static constexpr std::uint32_t largest_dimensions = 65536;
  static constexpr std::uint64_t largest_length = std::uint64_t{1} << 20;

  /// @param dimensions  of a centroid, 1…largest_dimensions. Throws Error(invalid_argument).
  explicit Signatures(std::uint32_t dimensions);

  /// Adds a signature.
  /// @param centroids  [weights.size() x dimensions], row-major
  /// @param weights    one per centroid, 1…largest_length of them; at least 0, of any sum
  /// Throws Error(invalid_argument) that says which value is not a number, negative (a
  /// weight) or above largest_value, and has then changed nothing.
  void add(std::span<const float> centroids, std::span<const float> weights);
  /// Signatures first … first + count - 1, copied. Throws Error(invalid_argument) for more than there are.
  Signatures slice(std::uint64_t first, std::uint64_t count) const;

  std::uint32_t dimensions() const { return dimensions_; }
  std::uint64_t size() const { return offsets_.size() - 1; }
  /// Centroids of signature i.
  std::uint64_t length(std::uint64_t i) const { return offsets_[i + 1] - offsets_[i]; }
  /// The centroids of signature i, [length(i) x dimensions]; valid until add().
  std::span<const float> centroids(std::uint64_t i) const {
    return {centroids_.data() + offsets_[i] * dimensions_, centroids_.data() + offsets_[i + 1] * dimensions_};
  }
  /// The weights of signature i, [length(i)]; valid until add().
  std::span<const float> weights(std::uint64_t i) const {
    return {weights_.data() + offsets_[i], weights_.data() + offsets_[i + 1]};
  }
  /// Centroids before each signature, [size() + 1]; the last is the number of all.
  std::span<const std::uint64_t> offsets() const { return offsets_; }
  /// The centroids of all signatures, one after another.
  std::span<const float> centroids() const { return centroids_; }
  std::span<const float> weights() const { return weights_; }
  /// Centroids of the longest signature; 0 without signatures.
  std::uint64_t longest() const { return longest_; }

  bool operator==(const Signatures&) const = default;

 private:
  std::uint32_t dimensions_;
  std::vector<float> centroids_, weights_;
  std::vector<std::uint64_t> offsets_{0};
  std::uint64_t longest_ = 0;
};

}  // namespace proxel
PROXEL_PUBLIC_END
