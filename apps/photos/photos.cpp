#include "photos/photos.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_map>

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

// Says which file it was that was read; without such a file, of none.
void stamp(Photo& photo, const std::string& path) {
  std::error_code error;
  photo.path = path;
  const auto bytes = std::filesystem::file_size(path, error);
  if (!error) photo.file_bytes = bytes;
  photo.changed = std::filesystem::last_write_time(path, error).time_since_epoch().count();
}

bool is_same_file(const Photo& a, const Photo& b) { return a.file_bytes == b.file_bytes && a.changed == b.changed; }

}  // namespace

Photos read_photos(const std::vector<std::string>& paths, const PhotoOptions& options, Device& device, unsigned threads,
                   const Progress& progress, std::vector<Photo> known) {
  if (const Support support = images::local_features_supported(); options.features && !support)
    throw Error(ErrorCode::unsupported, "local features", support.reason);
  std::unordered_map<std::string, Photo> known_of_path;
  for (Photo& photo : known) known_of_path.emplace(photo.path, std::move(photo));
  std::vector<Photo> made(paths.size());
  std::vector<std::string> read;
  std::vector<std::size_t> places;  // among all, of those that are read
  Photos result;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    stamp(made[i], paths[i]);
    const auto old = known_of_path.find(paths[i]);
    if (old != known_of_path.end() && is_same_file(old->second, made[i])) {
      made[i] = std::move(old->second);
      ++result.known;
    } else {
      read.push_back(paths[i]);
      places.push_back(i);
    }
  }
  images::SignatureMaker maker(device, {}, read.size());
  std::vector<std::uint8_t> is_there(paths.size(), 1);
  for (const std::size_t place : places) is_there[place] = 0;
  result.failures = images::read_images(read, threads, [&](std::size_t number, images::Image&& image) {
    Photo& photo = made[places[number]];
    if (options.signatures) maker.add(number, image);
    if (options.features) add_features(photo, images::reduced(image, options.longest_side), options);
    is_there[places[number]] = 1;
  }, progress);
  std::vector<images::ImageSignature> signatures = maker.finish(progress);
  for (std::size_t i = 0; i < read.size(); ++i)
    if (options.signatures) made[places[i]].signature = std::move(signatures[i]);
  for (std::size_t i = 0; i < made.size(); ++i)
    if (is_there[i] != 0) result.photos.push_back(std::move(made[i]));
  return result;
}

}  // namespace proxel::tool
