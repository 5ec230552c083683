#pragma once

// Feature signatures of images that threads read, found on a device (proxel/extraction.hpp).

#include <array>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string_view>
#include <vector>

#include "images/image.hpp"
#include "proxel/extraction.hpp"

namespace proxel::images {

inline constexpr std::size_t feature_dimensions = image_feature_dimensions;
inline constexpr std::array<std::string_view, feature_dimensions> feature_names = {"x", "y",        "L",      "a",
                                                                                   "b", "contrast", "entropy"};

struct SignatureOptions : ExtractionOptions {
  std::uint32_t longest_side = 256;  ///< larger images are reduced first; 1…65,536

  bool operator==(const SignatureOptions&) const = default;
};

/// Throws Error(invalid_argument) that names the option, what was given and what is allowed.
void check(const SignatureOptions& options);

/// Centroids, the heaviest first, and the share of the points that each stands for.
struct ImageSignature {
  std::vector<float> centroids;  ///< [weights.size() x feature_dimensions]
  std::vector<float> weights;    ///< sum 1 but for rounding
};

/// Finds the signatures of images that several threads bring, many at a time. The same options and pixels make the
/// same bits on every machine and device.
class SignatureMaker {
 public:
  /// @param device  outlives the maker, which alone uses it meanwhile
  /// @param images  how many numbers there are
  /// Throws as check().
  SignatureMaker(Device& device, const SignatureOptions& options, std::size_t images);

  /// By any thread, once for a number: reduces the image and keeps it until there are enough. What goes wrong on the
  /// device is thrown by finish().
  void add(std::size_t number, const Image& image);

  /// The signatures, once all images were added; empty ones of numbers that were not.
  /// @param progress  told of images; what it throws ends the work
  /// Throws as SignatureExtractor::extract().
  std::vector<ImageSignature> finish(const Progress& progress = {});

 private:
  struct Batch {
    std::vector<Image> images;
    std::vector<std::size_t> numbers;
    std::uint64_t pixels = 0;
  };

  bool is_full(const Batch& batch) const;
  void extract(const Batch& batch, const Progress& progress);

  SignatureOptions options_;
  bool on_host_;
  std::mutex batch_mutex_, device_mutex_;  // the latter of what follows it
  Batch batch_;
  SignatureExtractor extractor_;
  std::exception_ptr failure_;
  std::vector<ImageSignature> made_;
};

}  // namespace proxel::images
