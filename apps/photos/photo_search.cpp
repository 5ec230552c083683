#include "photos/photo_search.hpp"

#include <algorithm>

#include "images/feature_matches.hpp"
#include "images/geometric_check.hpp"
#include "padding.hpp"
#include "without_selves.hpp"

namespace proxel::tool {
namespace {

/// So many photographs of the most votes are checked for a transformation.
constexpr std::size_t most_checked = 200;
/// Of the longest side: how far a place may be from where the transformation leads, as what is seen
/// from elsewhere is not quite turned, scaled and moved.
constexpr double tolerance_of_side = 0.02, least_tolerance = 2;

Matrix<float> descriptors_of(std::span<const Photo* const> photos) {
  std::uint64_t count = 0;
  for (const Photo* photo : photos) count += photo->keypoints.size();
  Matrix<float> rows(count, images::descriptor_dimensions);
  float* to = rows.data();
  for (const Photo* photo : photos) to = std::copy(photo->descriptors.begin(), photo->descriptors.end(), to);
  return rows;
}

Signatures signatures_of(std::span<const Photo* const> photos) {
  Signatures signatures(images::feature_dimensions);
  for (const Photo* photo : photos) signatures.add(photo->signature.centroids, photo->signature.weights);
  return signatures;
}

}  // namespace

std::vector<FoundPhoto> PhotoAnswer::by(PhotoWay way, std::uint64_t most) const {
  std::vector<FoundPhoto> found = way == PhotoWay::signature ? by_signature : by_features;
  if (way == PhotoWay::both) {
    std::erase_if(found, [](const FoundPhoto& photo) { return !photo.is_verified(); });
    const std::size_t verified = found.size();
    for (const FoundPhoto& photo : by_signature) {
      const auto end = found.begin() + static_cast<std::ptrdiff_t>(verified);
      const auto same =
          std::find_if(found.begin(), end, [&](const FoundPhoto& other) { return other.number == photo.number; });
      if (same != end)
        same->distance = photo.distance;
      else
        found.push_back(photo);
    }
  }
  if (found.size() > most) found.resize(most);
  return found;
}

PhotoSearch::PhotoSearch(Device& device, std::span<const Photo> photos, const PhotoOptions& wanted,
                         const SignatureIndexOptions& options, const Progress& progress)
    : photos_(photos) {
  std::vector<const Photo*> all;
  first_features_.push_back(0);
  for (const Photo& photo : photos) {
    all.push_back(&photo);
    first_features_.push_back(first_features_.back() + photo.keypoints.size());
  }
  if (wanted.signatures) signatures_.emplace(device, signatures_of(all), options, progress);
  if (wanted.features && first_features_.back() != 0)
    descriptors_.emplace(device, descriptors_of(all).view(),
                         IndexOptions{.scratch_limit = options.scratch_limit, .timing = options.timing}, progress);
}

std::vector<PhotoAnswer> PhotoSearch::find(std::span<const Photo* const> queries,
                                           std::span<const std::uint32_t> left_out, std::uint64_t most,
                                           const Progress& progress) {
  std::vector<PhotoAnswer> answers(queries.size());
  if (signatures_) search_signatures(queries, left_out, most, answers, progress);
  for (std::size_t i = 0; descriptors_ && i < queries.size(); ++i) {
    const auto tell = [&](std::uint64_t, std::uint64_t) { progress(i, queries.size()); };
    tell(0, 0);
    answers[i].by_features = search_features(*queries[i], left_out[i], tell);
  }
  return answers;
}

void PhotoSearch::search_signatures(std::span<const Photo* const> queries, std::span<const std::uint32_t> left_out,
                                    std::uint64_t most, std::vector<PhotoAnswer>& answers, const Progress& progress) {
  const std::uint64_t k = std::min<std::uint64_t>(photos_.size(), most + 1);  // one may be left out
  const RangeNeighbors found =
      without_selves(without_padding(signatures_->search(signatures_of(queries), k, progress)), left_out, most);
  for (std::size_t i = 0; i < queries.size(); ++i)
    for (std::uint64_t slot = found.offsets[i]; slot < found.offsets[i + 1]; ++slot)
      answers[i].by_signature.push_back({found.indices[slot], found.distances[slot]});
}

std::vector<FoundPhoto> PhotoSearch::search_features(const Photo& query, std::uint32_t left_out,
                                                     const Progress& progress) {
  std::vector<FoundPhoto> found;
  if (query.keypoints.empty()) return found;
  const Photo* const only[] = {&query};
  const Neighbors nearest = descriptors_->search(descriptors_of(only).view(), images::neighbors_of_feature, Metric::l2,
                                                 {.progress = progress});
  for (const images::ImageMatches& one : images::matched_images(nearest, first_features_, left_out)) {
    FoundPhoto& photo = found.emplace_back(FoundPhoto{one.image, {}, static_cast<std::uint32_t>(one.matches.size())});
    if (found.size() > most_checked) continue;
    const Photo& other = photos_[one.image];
    const double tolerance = std::max(least_tolerance, tolerance_of_side * other.longest_side);
    const auto checked =
        images::geometric_check(one.matches, query.keypoints, other.keypoints, {.tolerance = tolerance});
    photo.inliers = static_cast<std::uint32_t>(checked.inliers.size());
    for (const std::uint32_t match : checked.inliers) photo.agreeing.push_back(one.matches[match]);
  }
  // Those of equally many that agree stay in the order of their votes.
  std::ranges::stable_sort(found, std::greater(), &FoundPhoto::inliers);
  return found;
}

}  // namespace proxel::tool
