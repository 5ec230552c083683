#include "images/feature_search.hpp"

#include <algorithm>
#include <thread>

#include "proxel/error.hpp"

namespace demo {

namespace {

using proxel::tool::FoundPhoto;
using proxel::tool::Photo;

constexpr proxel::tool::PhotoOptions wanted_of_photos{};

// So many are in the order of what was found; the others follow as they lie in the folder.
constexpr std::uint64_t most_found = nearest_first;

// Parts of the sides of the picture in which a keypoint lies, whose thumbnail has its shape.
struct Place {
  float x, y;
};
Place place_of(const Photo& photo, const proxel::images::Image& thumbnail, std::uint32_t keypoint) {
  const auto longest = static_cast<float>(photo.longest_side);
  const auto width = static_cast<float>(thumbnail.width), height = static_cast<float>(thumbnail.height);
  const float side = std::max(width, height);
  const proxel::images::Keypoint& at = photo.keypoints[keypoint];
  return {(at.x + 0.5f) / longest * side / width, (at.y + 0.5f) / longest * side / height};
}

}  // namespace

void FeatureSearch::read(proxel::Device& device, const proxel::Progress& progress) {
  proxel::tool::PhotoOptions options = wanted_of_photos;
  options.signatures = false;  // the collection has them
  proxel::tool::Photos read = proxel::tool::read_photos(collection_->paths, options, device,
                                                        std::max(1u, std::thread::hardware_concurrency()), progress);
  if (!read.failures.empty())
    throw proxel::Error(proxel::ErrorCode::input_output, read.failures.front().path,
                        "cannot be read any more: " + read.failures.front().reason);
  for (std::size_t i = 0; i < read.photos.size(); ++i) {
    const auto centroids = collection_->signatures.centroids(i), weights = collection_->signatures.weights(i);
    read.photos[i].signature = {{centroids.begin(), centroids.end()}, {weights.begin(), weights.end()}};
  }
  photos_ = std::move(read.photos);
}

PhotoRanking FeatureSearch::search(proxel::Device& device, const SimilaritySearch::Wanted& wanted, PhotoWay way,
                                   std::uint32_t query, const proxel::Progress& progress) {
  if (photos_.empty()) read(device, progress);
  if (!search_ || made_for_ != wanted) {
    search_.reset();
    proxel::SignatureIndexOptions options;
    options.similarity = wanted.similarity;
    options.method = signature_method(wanted.method);
    search_.emplace(device, photos_, wanted_of_photos, options, progress);
    made_for_ = wanted;
  }
  const Photo* const asked[] = {&photos_[query]};
  const std::uint32_t left_out[] = {proxel::no_neighbor};
  PhotoRanking answer;
  answer.found = search_->find(asked, left_out, most_found, progress).front().by(way, most_found);
  std::vector<bool> placed(photos_.size());
  const auto place = [&](std::uint32_t image) {
    if (!placed[image]) answer.ranking.order.push_back(image);
    placed[image] = true;
  };
  for (const FoundPhoto& found : answer.found) {
    place(found.number);
    std::vector<FeatureLine>& lines = answer.lines.emplace_back();
    for (const proxel::images::FeatureMatch& match : found.agreeing) {
      const Place from = place_of(*asked[0], collection_->thumbnails[query], match.query);
      const Place to = place_of(photos_[found.number], collection_->thumbnails[found.number], match.other);
      lines.push_back({from.x, from.y, to.x, to.y});
    }
  }
  for (std::uint32_t image = 0; image < photos_.size(); ++image) place(image);
  return answer;
}

}  // namespace demo
