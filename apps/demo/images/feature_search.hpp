#pragma once

#include <memory>
#include <optional>

#include "images/similarity_search.hpp"
#include "photos/photo_search.hpp"

namespace demo {

using proxel::tool::PhotoWay;

/// Two places that look alike, in parts of the width and height of the picture that each is in.
struct FeatureLine {
  float x, y, other_x, other_y;
};

/// What was found for a picture by local features, or by both.
struct PhotoRanking {
  Ranking ranking;  ///< distances: of none
  /// Of the first of its order, as many as were found.
  std::vector<proxel::tool::FoundPhoto> found;
  /// The lines to one that was found, from the picture that was looked for.
  std::vector<std::vector<FeatureLine>> lines;
};

/// Searches by local features among the pictures of a collection, on the worker's thread. They are read when the
/// first search needs them.
class FeatureSearch {
 public:
  explicit FeatureSearch(std::shared_ptr<const Collection> collection) : collection_(std::move(collection)) {}

  /// @param way  features or both
  /// Throws Error(unsupported) as images::local_features_supported() says; Error(input_output) where a file
  /// cannot be read any more; what `progress` throws.
  PhotoRanking search(proxel::Device& device, const SimilaritySearch::Wanted& wanted, PhotoWay way, std::uint32_t query,
                      const proxel::Progress& progress);

 private:
  void read(proxel::Device& device, const proxel::Progress& progress);

  std::shared_ptr<const Collection> collection_;
  std::vector<proxel::tool::Photo> photos_;
  std::optional<proxel::tool::PhotoSearch> search_;
  SimilaritySearch::Wanted made_for_;
};

}  // namespace demo
