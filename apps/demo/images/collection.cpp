#include "images/collection.hpp"

namespace demo {

namespace images = proxel::images;

std::uint32_t thumbnail_side(std::size_t count) { return count <= 4000 ? 96 : count <= 20000 ? 64 : 48; }

Collection read_collection(const std::vector<std::string>& files_and_folders, unsigned threads,
                           const proxel::Progress& progress) {
  images::ImageFiles files = images::find_images(files_and_folders, [&] { progress(0, 0); });
  const std::uint32_t side = thumbnail_side(files.paths.size());
  const auto device = proxel::open_device("cpu");
  images::SignatureMaker maker(*device, {}, files.paths.size());
  std::vector<images::Image> thumbnails(files.paths.size());
  Collection collection;
  collection.failures = std::move(files.failures);
  auto unread = images::read_images(files.paths, threads, [&](std::size_t number, images::Image&& image) {
    thumbnails[number] = images::reduced(image, side);
    maker.add(number, image);
  }, progress);
  const std::vector<images::ImageSignature> signatures = maker.finish(progress);
  std::move(unread.begin(), unread.end(), std::back_inserter(collection.failures));
  for (std::size_t i = 0; i < files.paths.size(); ++i) {
    if (signatures[i].weights.empty()) continue;  // it could not be read
    collection.signatures.add(signatures[i].centroids, signatures[i].weights);
    collection.thumbnails.push_back(std::move(thumbnails[i]));
    collection.paths.push_back(std::move(files.paths[i]));
  }
  return collection;
}

}  // namespace demo
