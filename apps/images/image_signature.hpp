#pragma once

// Feature signatures of images: position, colour and texture of sampled points, clustered
// (Krulis, Lokoc, Skopal: Efficient extraction of clustering-based feature signatures using
// GPU architectures, 2016; the kind of signatures that Krulis et al. 2011 search).

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "images/image.hpp"
#include "proxel/signatures.hpp"

namespace proxel::images {

/// x, y: 0…1 over the image; L, a, b: CIELAB / 100, so that a distance of 0.01 is what eyes
/// may just tell apart; contrast and entropy of the grey levels around the point, 0…1.
inline constexpr std::size_t feature_dimensions = 7;
inline constexpr std::array<std::string_view, feature_dimensions> feature_names = {"x", "y",        "L",      "a",
                                                                                   "b", "contrast", "entropy"};
using Feature = std::array<float, feature_dimensions>;

enum class Sampling { random, grid };

struct SignatureOptions {
  std::uint32_t points = 2048;  ///< sampled, 1…most_points
  Sampling sampling = Sampling::random;
  std::uint64_t seed = 1;              ///< of random points, which are the same for every image
  std::uint32_t longest_side = 256;    ///< larger images are reduced first; 1…65,536
  std::uint32_t window = 4;            ///< texture: pixels from the point to the window's side, 1…most_window
  std::uint32_t most_centroids = 64;   ///< 1…largest_most_centroids
  float joining_distance = 0.2f;       ///< nearer centroids become one; at least 0
  std::uint32_t smallest_cluster = 2;  ///< points; after iteration i those below i times that are given up
  std::uint32_t iterations = 10;       ///< of k-means, 1…100
  /// What the coordinates are multiplied with: x and y; L, a and b; contrast and entropy.
  float position = 1, colour = 1, texture = 1;

  bool operator==(const SignatureOptions&) const = default;
};

inline constexpr std::uint32_t most_points = 1u << 20, most_window = 32, largest_most_centroids = 256;

/// Throws Error(invalid_argument) that names the option, what was given and what is allowed.
void check(const SignatureOptions& options);

/// Centroids, the heaviest first, and the share of the points that each stands for.
struct ImageSignature {
  std::vector<float> centroids;  ///< [weights.size() x feature_dimensions]
  std::vector<float> weights;    ///< sum 1 but for rounding
};

/// Makes signatures. The same options and pixels make the same bits on every machine; any
/// number of threads may share one.
class SignatureExtractor {
 public:
  /// Throws as check().
  explicit SignatureExtractor(const SignatureOptions& options);

  ImageSignature extract(const Image& image) const;
  /// Those of the sampled points, as they are clustered.
  std::vector<Feature> features(const Image& image) const;

 private:
  SignatureOptions options_;
  std::vector<std::array<std::uint32_t, 2>> places_;  // of random points, in parts of 2^32 of a side
  std::vector<double> times_logarithm_;               // n log2 n
};

/// k-means that adapts the number of clusters to the features: it starts from many of them,
/// joins centroids that come near each other and gives up those of few points.
ImageSignature clustered(std::span<const Feature> features, const SignatureOptions& options);

}  // namespace proxel::images
