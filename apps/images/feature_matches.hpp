#pragma once

// Which images of a collection have local features like those of another image.

#include <cstdint>
#include <span>
#include <vector>

#include "proxel/neighbors.hpp"

namespace proxel::images {

/// Two local features that look alike.
struct FeatureMatch {
  std::uint32_t query;  ///< of the image that is looked for
  std::uint32_t other;  ///< of an image of the collection, from that image's first on
};

/// An image of the collection for which features of the query vote: one match each.
struct ImageMatches {
  std::uint32_t image;
  std::vector<FeatureMatch> matches;  ///< at least one, in the order of the query's features
};

/// Neighbours of each feature that matched_images() is best given: the last of them is taken for one that
/// shows something else.
inline constexpr std::uint64_t neighbors_of_feature = 20;
/// The largest ratio of distances, of Lowe 2004, section 7.1.
inline constexpr float largest_ratio = 0.8f;

/// Each feature of the query votes for the images of those of its neighbours that are nearer than largest_ratio
/// times the last neighbour, once for each image. That is Lowe's test where several images may be right ones: the
/// distance to compare with is not the second's, which may be right too, but that of a neighbour far enough
/// down the list (Brown, Szeliski, Winder: Multi-image matching using multi-scale oriented patches, 2005).
/// @param nearest   [features of the query x k], by Euclidean distance, of the collection's features
/// @param firsts    [images + 1]: the first feature of each image, and the number of all
/// @param left_out  an image for which nothing votes; no_neighbor: none
/// @return by the number of matches, the most first, equal ones by the image's number
std::vector<ImageMatches> matched_images(const Neighbors& nearest, std::span<const std::uint64_t> firsts,
                                         std::uint32_t left_out);

}  // namespace proxel::images
