#include <algorithm>

#include <fmt/format.h>

#include "features/feature_kinds.hpp"
#include "images/image_files.hpp"
#include "images/local_features.hpp"

namespace proxel::tool {

FeaturesMade make_sift_rows(FeatureWork&& work, std::size_t most) {
  if (const Support support = images::local_features_supported(); !support)
    throw Error(ErrorCode::unsupported, "local features", support.reason);
  std::vector<images::LocalFeatures> found(work.paths.size());
  FeaturesMade made{.names = std::move(work.names)};
  made.failures = images::read_images(work.paths, work.threads, [&](std::size_t number, images::Image&& image) {
    found[number] = images::local_features(image, most);
  }, work.progress);
  std::uint64_t count = 0;
  for (const images::LocalFeatures& features : found) count += features.keypoints.size();
  Matrix<float> rows(count, images::descriptor_dimensions);
  float* next = rows.data();
  made.names.heading({"file", "x", "y", "scale", "angle"});
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t values = found[i].keypoints.size() * images::descriptor_dimensions;
    next = std::copy_n(found[i].descriptors.data(), values, next);
    for (const images::Keypoint& key : found[i].keypoints)
      made.names.add({work.paths[i], fmt::format("{}", key.x), fmt::format("{}", key.y), fmt::format("{}", key.scale),
                      fmt::format("{}", key.angle)});
    found[i] = {};
  }
  set_rows(made, std::move(rows));
  return made;
}

}  // namespace proxel::tool
