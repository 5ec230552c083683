#include "signatures/image_files.hpp"

namespace proxel::tool {

ImageSignatures make_signatures(const std::vector<std::string>& paths, const images::SignatureOptions& options,
                                Device& device, unsigned threads, const Progress& progress) {
  images::SignatureMaker maker(device, options, paths.size());
  ImageSignatures result;
  result.failures = images::read_images(
      paths, threads, [&](std::size_t number, images::Image&& image) { maker.add(number, image); }, progress);
  const std::vector<images::ImageSignature> made = maker.finish(progress);
  result.file.signatures = Signatures(images::feature_dimensions);
  result.file.recipe = recipe_of(options);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (made[i].weights.empty()) continue;  // it could not be read
    result.file.signatures.add(made[i].centroids, made[i].weights);
    result.file.names.push_back(paths[i]);
  }
  return result;
}

}  // namespace proxel::tool
