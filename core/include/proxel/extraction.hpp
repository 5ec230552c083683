#pragma once

// Feature signatures of images: position, colour and texture of sampled points, clustered
// (Krulis, Lokoc, Skopal: Efficient extraction of clustering-based feature signatures using
// GPU architectures, 2016; the kind of signatures that Krulis et al. 2011 search).

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "proxel/device.hpp"
#include "proxel/export.h"
#include "proxel/index.hpp"
#include "proxel/plan.hpp"
#include "proxel/signatures.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// x, y: 0…1 over the image; L, a, b: CIELAB / 100, so that a distance of 0.01 is what eyes
/// may just tell apart; contrast and entropy of the grey levels around the point, 0…1.
inline constexpr std::size_t image_feature_dimensions = 7;
using ImageFeature = std::array<float, image_feature_dimensions>;

enum class Sampling { random, grid };

struct ExtractionOptions {
  std::uint32_t points = 2048;  ///< sampled, 1…65,536
  Sampling sampling = Sampling::random;
  std::uint64_t seed = 1;              ///< of random points, which are the same for every image
  std::uint32_t window = 4;            ///< texture: pixels from the point to the window's side, 1…32
  std::uint32_t most_centroids = 64;   ///< 1…256
  float joining_distance = 0.2f;       ///< nearer centroids become one; 0…1e6
  std::uint32_t smallest_cluster = 2;  ///< points; after iteration i those below i times that are given up
  std::uint32_t iterations = 10;       ///< of k-means, 1…100
  /// What the coordinates are multiplied with: x and y; L, a and b; contrast and entropy. 0…1e6; 1/16,384 of the
  /// largest of them is what coordinates are rounded to.
  float position = 1, colour = 1, texture = 1;

  static constexpr std::uint32_t largest_points = 65536, largest_window = 32, largest_most_centroids = 256;

  bool operator==(const ExtractionOptions&) const = default;
};

/// Throws Error(invalid_argument) that names the option, what was given and what is allowed.
void check(const ExtractionOptions& options);

/// An image in host memory, sRGB, 8 bits a channel.
struct ImageView {
  std::uint32_t width = 0, height = 0;  ///< pixels, 1…65,536; together at most 2^28
  std::span<const std::uint8_t> rgb;    ///< [height x width x 3], rows from the top
};

struct ExtractionDescription {
  std::uint32_t images = 0;  ///< at least 1; times the points at most 2^31
  std::uint64_t pixels = 0;  ///< of all images together, at most 2^31

  bool operator==(const ExtractionDescription&) const = default;
};

/// The caller's buffers, each as aligned as its requirement says.
struct ExtractionBuffers {
  /// Read: 32-bit [pixels], sRGB, the images one after another, rows from the top: red in the lowest byte, green,
  /// blue; the highest byte is not looked at.
  BufferView pixels;
  BufferView images;     ///< read: 32-bit [images x 8], as ExtractionPlan::describe() writes them
  BufferView scratch;    ///< nobody else's meanwhile
  BufferView centroids;  ///< written: binary32 [images x most_centroids x 7], the heaviest first; then 0
  BufferView weights;    ///< written: binary32 [images x most_centroids], shares of the points; then 0
  BufferView lengths;    ///< written: 32-bit [images], how many centroids the signature has
};

/// What ExtractionBuffers have to be.
struct ExtractionRequirements {
  BufferRequirement pixels, images, scratch, centroids, weights, lengths;

  bool operator==(const ExtractionRequirements&) const = default;
};

class SignatureExtractor;

/// Finds the signatures of as many images as are given in two passes. Recorded any number of times; the images may be
/// others each time, and of other sizes. The extractor that made it outlives its executions.
class ExtractionPlan {
 public:
  ExtractionRequirements requirements() const;
  const ExtractionDescription& description() const { return description_; }

  /// What `images` is to hold of images of these sizes, which lie one after another.
  /// @param widths_and_heights  [description().images]
  /// Throws Error(invalid_argument) unless there are as many, each within ImageView's limits, and no more pixels than
  /// were planned.
  std::vector<std::uint32_t> describe(std::span<const std::array<std::uint32_t, 2>> widths_and_heights) const;

  /// Writes the passes down. Barriers before and after them are the caller's. Throws Error(invalid_argument), before
  /// anything is written, for buffers that are not what is required.
  void record(Recording& recording, const ExtractionBuffers& buffers) const;

 private:
  friend class SignatureExtractor;
  const SignatureExtractor* extractor_ = nullptr;
  ExtractionDescription description_;
};

/// Makes signatures of images on a device: the same options and pixels make the same bits on every one. One
/// thread at a time uses it, as its device.
class SignatureExtractor {
 public:
  /// @param device  outlives the extractor
  /// Throws as check(), and Error(unsupported | out_of_memory).
  explicit SignatureExtractor(Device& device, const ExtractionOptions& options = {});
  ~SignatureExtractor();
  SignatureExtractor(const SignatureExtractor&) = delete;
  SignatureExtractor& operator=(const SignatureExtractor&) = delete;

  const ExtractionOptions& options() const;

  /// The signatures of images, in their order: centroids the heaviest first, weights of the sum 1 but for rounding.
  /// @param progress  told of images; what it throws ends the work
  /// Throws Error(invalid_argument) for an image of no pixels, or that has others than it says;
  /// Error(out_of_memory | device_lost).
  Signatures extract(std::span<const ImageView> images, const Progress& progress = {});
  /// Those of the sampled points of an image, as they are clustered. Throws as extract().
  std::vector<ImageFeature> features(const ImageView& image);
  /// Of the latest extract() or features(), on the device, where it has timestamps; without copies.
  double milliseconds() const;

  /// An extraction to be recorded by the caller, who brings its buffers. Throws Error(invalid_argument | unsupported).
  ExtractionPlan plan(const ExtractionDescription& description);

 private:
  friend class ExtractionPlan;
  struct PROXEL_HIDDEN Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace proxel
PROXEL_PUBLIC_END
