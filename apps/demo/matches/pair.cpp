#include "matches/pair.hpp"

namespace demo {

namespace images = proxel::images;

std::shared_ptr<const Side> read_side(const std::string& path) {
  auto side = std::make_shared<Side>();
  side->image = images::reduced(images::read_image(path), most_side_pixels);
  side->features = images::local_features(side->image, most_features);
  return side;
}

std::shared_ptr<const Side> turned_side(const Side& of, const Turn& turn) {
  auto side = std::make_shared<Side>();
  side->image = turned(of.image, turn);
  side->features = images::local_features(side->image, most_features);
  return side;
}

proxel::Neighbors two_nearest(proxel::Device& device, const Side& left, const Side& right, double* milliseconds) {
  if (left.features.keypoints.empty() || right.features.keypoints.empty()) return {{0, 2}, {0, 2}};
  proxel::Index index(device, right.features.descriptors.view());
  proxel::Neighbors found = index.search(left.features.descriptors.view(), 2, proxel::Metric::l2);
  if (milliseconds) *milliseconds = found.report.times.compute_milliseconds;
  return found;
}

}  // namespace demo
