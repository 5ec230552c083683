#include "photos/photos.hpp"

#include <algorithm>
#include <cmath>

#include "proxel/error.hpp"

namespace proxel::tool {
namespace {

void add_features(Photo& photo, const images::Image& image, const PhotoOptions& options) {
  photo.longest_side = std::max(image.width, image.height);
  if (std::min(image.width, image.height) < images::least_side_of_features) return;
  images::LocalFeatures found = images::local_features(image, options.most_features);
  photo.keypoints = std::move(found.keypoints);
  const std::size_t count = photo.keypoints.size() * images::descriptor_dimensions;
  photo.descriptors.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    photo.descriptors.push_back(static_cast<std::uint8_t>(std::min(255L, std::lround(found.descriptors.data()[i]))));
}

}  // namespace

Photos read_photos(const std::vector<std::string>& paths, const PhotoOptions& options, unsigned threads,
                   const Progress& progress) {
  if (const Support support = images::local_features_supported(); options.features && !support)
    throw Error(ErrorCode::unsupported, "local features", support.reason);
  const images::SignatureExtractor extractor({});
  std::vector<Photo> made(paths.size());
  Photos result;
  result.failures = images::read_images(paths, threads, [&](std::size_t number, images::Image&& image) {
    Photo photo;
    if (options.signatures) photo.signature = extractor.extract(image);
    if (options.features) add_features(photo, images::reduced(image, options.longest_side), options);
    photo.path = paths[number];
    made[number] = std::move(photo);
  }, progress);
  for (Photo& photo : made)
    if (!photo.path.empty()) result.photos.push_back(std::move(photo));
  return result;
}

}  // namespace proxel::tool
