#pragma once

// Whether matches of local features agree on how one image was turned, scaled and moved to become
// the other (random sample consensus: Fischler, Bolles 1981).

#include <cstdint>
#include <span>
#include <vector>

#include "images/feature_matches.hpp"
#include "images/local_features.hpp"

namespace proxel::images {

/// (x, y) becomes (a x - b y + dx, b x + a y + dy).
struct SimilarityTransformation {
  double a = 1, b = 0, dx = 0, dy = 0;
};

struct GeometricCheckOptions {
  /// A match agrees where its place in the other image is at most so far from where the transformation leads, pixels.
  double tolerance = 8;
  /// Pairs of matches that are drawn; where there are no more, each is tried once.
  std::uint32_t tries = 1000;
  std::uint64_t seed = 1;
};

struct GeometricCheck {
  SimilarityTransformation transformation;  ///< from the query to the other image
  /// Numbers of the matches that agree, ascending; no two of one feature of the other image. Empty where no two agree.
  std::vector<std::uint32_t> inliers;
};

/// The transformation with which most matches agree: in place, and within a factor of 2 and 45 degrees in the
/// scale and angle of their keypoints. It is drawn from pairs of matches and then fitted to those that agree with it.
/// It scales by no more than 8. The same arguments give the same result.
/// @param query, other  the keypoints that the matches count
GeometricCheck geometric_check(std::span<const FeatureMatch> matches, std::span<const Keypoint> query,
                               std::span<const Keypoint> other, const GeometricCheckOptions& options = {});

}  // namespace proxel::images
