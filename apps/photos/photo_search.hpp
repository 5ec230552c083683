#pragma once

// Finds photographs like others, in three ways.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "images/feature_matches.hpp"
#include "photos/photo_way.hpp"
#include "photos/photos.hpp"
#include "proxel/signature_index.hpp"

namespace proxel::tool {

/// So many matches that agree on one transformation verify a photograph: fewer come about by chance.
inline constexpr std::uint32_t verifying_inliers = 6;

struct FoundPhoto {
  std::uint32_t number;                        ///< in the collection
  std::optional<float> distance;               ///< of the signatures, where it was asked for and is among the nearest
  std::uint32_t votes = 0;                     ///< features that voted for it
  std::uint32_t inliers = 0;                   ///< those of them that agree on one transformation
  std::vector<images::FeatureMatch> agreeing;  ///< these, as places among the keypoints of both

  bool is_verified() const { return inliers >= verifying_inliers; }
};

/// What was found for one photograph in each way, at most as many as were asked for. By features none is there
/// for which nothing voted.
struct PhotoAnswer {
  std::vector<FoundPhoto> by_signature, by_features;

  /// @param most  at most so many
  std::vector<FoundPhoto> by(PhotoWay way, std::uint64_t most) const;
};

/// A collection on a device, of which signatures are compared, local features, or both.
class PhotoSearch {
 public:
  /// @param photos   outlive it; at least one, made with those of the two that `wanted` names
  /// Throws Error: as Index and SignatureIndex do.
  PhotoSearch(Device& device, std::span<const Photo> photos, const PhotoOptions& wanted,
              const SignatureIndexOptions& options, const Progress& progress);

  /// @param queries    made with the same options as the collection
  /// @param left_out   for each query a photograph of the collection that is not to be found; no_neighbor: none
  /// @param most       photographs that are wanted
  /// @param progress   told of queries
  std::vector<PhotoAnswer> find(std::span<const Photo* const> queries, std::span<const std::uint32_t> left_out,
                                std::uint64_t most, const Progress& progress);

 private:
  void search_signatures(std::span<const Photo* const> queries, std::span<const std::uint32_t> left_out,
                         std::uint64_t most, std::vector<PhotoAnswer>& answers, const Progress& progress);
  std::vector<FoundPhoto> search_features(const Photo& query, std::uint32_t left_out, const Progress& progress);

  std::span<const Photo> photos_;
  std::optional<SignatureIndex> signatures_;
  std::optional<Index> descriptors_;
  std::vector<std::uint64_t> first_features_;  // [photos + 1]
};

}  // namespace proxel::tool
