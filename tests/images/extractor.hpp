#pragma once

// Signatures of single images, on the host.

#include "images/image_signature.hpp"
#include "proxel/device.hpp"

namespace proxel::testing {

class Extractor {
 public:
  explicit Extractor(const images::SignatureOptions& options = {}) : options_(options) { check(options); }

  images::ImageSignature extract(const images::Image& image) const {
    const auto device = open_device("cpu");
    images::SignatureMaker maker(*device, options_, 1);
    maker.add(0, image);
    return maker.finish().front();
  }
  std::vector<ImageFeature> features(const images::Image& image) const {
    const auto device = open_device("cpu");
    return SignatureExtractor(*device, options_).features({image.width, image.height, image.rgb});
  }

 private:
  images::SignatureOptions options_;
};

}  // namespace proxel::testing
