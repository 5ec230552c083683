#include "signatures/image_files.hpp"

namespace proxel::tool {

ImageSignatures make_signatures(const std::vector<std::string>& paths, const images::SignatureOptions& options,
                                unsigned threads, const Progress& progress) {
  const images::SignatureExtractor extractor(options);
  std::vector<images::ImageSignature> made(paths.size());
  ImageSignatures result;
  result.failures = images::read_images(paths, threads, [&](std::size_t number, images::Image&& image) {
    made[number] = extractor.extract(image);
  }, progress);
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
