#include "images/local_features.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "proxel/error.hpp"

extern "C" {
#include <vl/sift.h>
}

namespace proxel::images {
namespace {

constexpr int levels_per_octave = 3, all_octaves = -1, first_octave = -1;  // -1: at twice the size

struct Described {
  Keypoint keypoint;
  std::array<float, descriptor_dimensions> descriptor;
};

// The weights of ITU-R BT.601, 0…255.
std::vector<float> greys_of(const Image& image) {
  std::vector<float> greys;
  greys.reserve(image.rgb.size() / 3);
  for (std::size_t i = 0; i < image.rgb.size(); i += 3)
    greys.push_back(0.299f * image.rgb[i] + 0.587f * image.rgb[i + 1] + 0.114f * image.rgb[i + 2]);
  return greys;
}

void describe_octave(VlSiftFilt* filter, std::vector<Described>& found) {
  vl_sift_detect(filter);
  for (int i = 0; i < filter->nkeys; ++i) {
    const VlSiftKeypoint& key = filter->keys[i];
    double angles[4];
    const int count = vl_sift_calc_keypoint_orientations(filter, angles, &key);
    for (int a = 0; a < count; ++a) {
      Described& one = found.emplace_back();
      one.keypoint = {key.x, key.y, key.sigma, static_cast<float>(angles[a])};
      vl_sift_calc_keypoint_descriptor(filter, one.descriptor.data(), &key, angles[a]);
    }
  }
}

}  // namespace

Support local_features_supported() { return Support::yes(); }

LocalFeatures local_features(const Image& image, std::size_t most) {
  if (std::min(image.width, image.height) < least_side_of_features)
    throw Error(ErrorCode::unsupported, "image",
                fmt::format("{} x {} pixels; local features need at least {} x {}", image.width, image.height,
                            least_side_of_features, least_side_of_features));
  const std::unique_ptr<VlSiftFilt, decltype(&vl_sift_delete)> filter(
      vl_sift_new(static_cast<int>(image.width), static_cast<int>(image.height), all_octaves, levels_per_octave,
                  first_octave),
      vl_sift_delete);
  filter->peak_thresh = 2;  // of 255: flat areas have none
  const std::vector<float> greys = greys_of(image);
  std::vector<Described> found;
  for (int end = vl_sift_process_first_octave(filter.get(), greys.data()); !end;
       end = vl_sift_process_next_octave(filter.get()))
    describe_octave(filter.get(), found);
  std::ranges::stable_sort(found, std::greater(), [](const Described& one) { return one.keypoint.scale; });
  found.resize(std::min(found.size(), most));
  LocalFeatures features;
  features.descriptors = Matrix<float>(found.size(), descriptor_dimensions);
  for (std::size_t i = 0; i < found.size(); ++i) {
    features.keypoints.push_back(found[i].keypoint);
    for (std::size_t d = 0; d < descriptor_dimensions; ++d) features.descriptors(i, d) = 512 * found[i].descriptor[d];
  }
  return features;
}

}  // namespace proxel::images
