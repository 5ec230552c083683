#pragma once

// Local features of images: places that are found again when the image is turned, scaled or
// seen elsewhere, each with a vector that tells it apart (Lowe: Distinctive image features from
// scale-invariant keypoints, 2004). By VLFeat, where the program was built with it.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "images/image.hpp"
#include "proxel/matrix.hpp"
#include "proxel/pass.hpp"

namespace proxel::images {

struct Keypoint {
  float x = 0, y = 0;  ///< pixels from the middle of the left upper one
  float scale = 0;     ///< pixels: standard deviation of the blur at which it stands out
  float angle = 0;     ///< radians
};

struct LocalFeatures {
  std::vector<Keypoint> keypoints;
  Matrix<float> descriptors;  ///< [keypoints.size() x descriptor_dimensions], of length 512
};

inline constexpr std::size_t descriptor_dimensions = 128;
/// Images with a shorter side, pixels, are too small.
inline constexpr std::uint32_t least_side_of_features = 16;

/// Whether there are any to be had, or why not.
Support local_features_supported();

/// @param most  of those with the largest scale so many are kept
/// Throws Error(unsupported) as local_features_supported() says, and for images too small.
LocalFeatures local_features(const Image& image, std::size_t most);

}  // namespace proxel::images
