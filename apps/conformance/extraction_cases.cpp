// Signatures of images: the two passes as a chain on images that are hard for them, and whole extractions, whose
// features are held against the standards' formulas and whose signatures against the plain reference.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>

#include <fmt/format.h>

#include "case.hpp"
#include "made_images.hpp"
#include "pass_script.hpp"
#include "proxel/error.hpp"
#include "proxel/extraction.hpp"
#include "proxel/passes/feature_clusters.h"
#include "proxel/passes/image_features.h"
#include "values.hpp"

namespace proxel::conformance {
namespace {

constexpr std::array<std::uint32_t, 2> sizes[] = {{1, 1},   {1, 5},   {200, 1}, {2, 2},  {63, 64},
                                                  {64, 65}, {65, 63}, {7, 130}, {96, 80}};

struct PassShape {
  ExtractionOptions options;
  std::uint32_t images = 0;
};

struct Tables {
  std::vector<std::uint32_t> places, entropies;
  std::vector<float> lights;
};

// Any tables serve, as long as nothing they lead to overflows.
Tables make_tables(const ExtractionOptions& options, std::mt19937_64& random) {
  Tables tables;
  for (std::uint32_t i = 0; i < 2 * options.points; ++i)
    tables.places.push_back(i < 4 ? 0u - i % 2 : static_cast<std::uint32_t>(random()));
  for (int i = 0; i < 256; ++i) tables.lights.push_back(std::pow(static_cast<float>(i) / 255, 2.2f));
  const std::uint32_t side = 2 * options.window + 1;
  for (std::uint32_t n = 0; n <= 2 * side * (side - 1) + 1; ++n)
    tables.entropies.push_back(
        n == 0 ? 0 : static_cast<std::uint32_t>(n * std::log2(static_cast<double>(n)) / std::log2(136.0) * 131072));
  return tables;
}

void run_passes(PassScript& script, const PassShape& shape, std::uint64_t seed) {
  const ExtractionOptions& options = shape.options;
  std::mt19937_64 random(seed);
  const Tables tables = make_tables(options, random);
  std::vector<std::uint32_t> pixels, images;
  for (std::uint32_t i = 0; i < shape.images; ++i) {
    const auto [width, height] = sizes[(i + seed) % std::size(sizes)];
    // Of a grid of as many columns as rows, or of places.
    const auto columns = static_cast<std::uint32_t>(std::sqrt(options.points));
    const bool grid = options.sampling == Sampling::grid;
    images.insert(images.end(), {static_cast<std::uint32_t>(pixels.size()), width, height,
                                 grid ? columns * columns : options.points, grid ? columns : 0, 0, 0, 0});
    const auto made = words_of(make_image(all_pictures[i % std::size(all_pictures)], width, height, seed + i));
    pixels.insert(pixels.end(), made.begin(), made.end());
  }
  passes::ImageFeaturesParameters features{};
  features.pixels = script.input("pixels", pixels);
  features.images = script.input("images", images);
  features.places = script.input("places", tables.places);
  features.lights = script.input("lights", tables.lights);
  features.entropies = script.input("entropies", tables.entropies);
  // A grid of points leaves room behind its own.
  features.features = script.output("features", std::uint64_t{16} * shape.images * options.points);
  features.image_count = shape.images;
  features.points = options.points;
  features.window = options.window;
  features.position = static_cast<std::uint32_t>(options.position * 16384);
  features.colour = static_cast<std::uint32_t>(options.colour * 16384);
  features.texture = static_cast<std::uint32_t>(options.texture * 16384);
  script.add_pass(passes::make_image_features(features));
  passes::FeatureClustersParameters clusters{};
  clusters.features = features.features;
  clusters.images = features.images;
  clusters.centroids = script.output("centroids", std::uint64_t{28} * shape.images * options.most_centroids);
  clusters.weights = script.output("weights", std::uint64_t{4} * shape.images * options.most_centroids);
  clusters.lengths = script.output("lengths", std::uint64_t{4} * shape.images);
  clusters.image_count = shape.images;
  clusters.points = options.points;
  clusters.most_centroids = options.most_centroids;
  clusters.smallest_cluster = options.smallest_cluster;
  clusters.iterations = options.iterations;
  const float units = options.joining_distance * 4194304;
  clusters.limit = units * units;
  clusters.unit = 1 / 4194304.0f;
  script.add_pass(passes::make_feature_clusters(clusters));
}

ExtractionOptions options_with(std::uint32_t points, std::uint32_t window, std::uint32_t most_centroids,
                               float joining_distance, Sampling sampling) {
  ExtractionOptions options;
  options.points = points;
  options.window = window;
  options.most_centroids = most_centroids;
  options.joining_distance = joining_distance;
  options.sampling = sampling;
  return options;
}

const char* name_of(Sampling sampling) { return sampling == Sampling::grid ? "grid" : "random"; }

void add_passes(Cases& cases) {
  std::size_t step = 0;
  for (const std::uint32_t points : {1u, 2u, 127u, 128u, 300u, 1000u})
    for (const std::uint32_t window : {1u, 4u, 32u})
      for (const std::uint32_t most : {1u, 3u, 64u, 127u, 128u, 256u})
        for (const float distance : {0.0f, 0.2f})
          for (const Sampling sampling : {Sampling::random, Sampling::grid}) {
            PassShape shape{options_with(points, window, most, distance, sampling), points == 1000 ? 3u : 19u};
            shape.options.position = most == 3 ? 0.0f : 1.0f;
            shape.options.texture = window == 1 ? 0.25f : 1.0f;
            shape.options.smallest_cluster = points == 300 ? 0 : 2;
            cases.push_back({fmt::format("pass/extraction/{}/points={},window={},centroids={},joining={}",
                                         name_of(sampling), points, window, most, distance),
                             step++ % 61 == 17, [shape](const Context& context) {
              return check_passes(context,
                                  [=, seed = context.seed](PassScript& script) { run_passes(script, shape, seed); });
            }});
          }
}

// Whatever a call throws but the loss of the device is a verdict.
template <typename Judge>
std::unique_ptr<Check> check_calls(const Judge& judge) {
  return make_check([=](Device& device) {
    try {
      return judge(device);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::device_lost) throw;
      return error.code() == ErrorCode::unsupported ? Verdict::refuse(error) : Verdict::fail(error.what());
    }
  });
}

// What the standards say of a point, in the library's powers, roots and logarithms.
std::array<double, 7> expected_feature(const MadeImage& image, std::uint32_t x, std::uint32_t y, std::uint32_t window) {
  const auto pixel = image.at(x, y);
  std::array<double, 3> light{};
  for (std::size_t c = 0; c < 3; ++c) {
    const double value = pixel[c] / 255.0;
    light[c] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  }
  const auto f = [&](double r, double g, double b, double at_white) {
    const double t = (r * light[0] + g * light[1] + b * light[2]) / at_white;
    return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
  };
  const double fx = f(0.4124564, 0.3575761, 0.1804375, 0.95047), fy = f(0.2126729, 0.7151522, 0.0721750, 1),
               fz = f(0.0193339, 0.1191920, 0.9503041, 1.08883);
  std::array<std::array<double, 16>, 16> pairs{};
  double count = 0, squares = 0, entropy = 0;
  const auto level = [&](std::int64_t at_x, std::int64_t at_y) {
    const auto of = image.at(static_cast<std::uint32_t>(at_x), static_cast<std::uint32_t>(at_y));
    return (77 * of[0] + 150 * of[1] + 29 * of[2] + 128) / 4096;
  };
  const auto within = [&](std::int64_t at_x, std::int64_t at_y) {
    return at_x >= 0 && at_y >= 0 && at_x < image.width && at_y < image.height && std::abs(at_x - x) <= window &&
           std::abs(at_y - y) <= window;
  };
  for (std::int64_t j = std::int64_t{y} - window; j <= std::int64_t{y} + window; ++j)
    for (std::int64_t i = std::int64_t{x} - window; i <= std::int64_t{x} + window; ++i)
      for (const auto& [across, down] : {std::pair{1, 0}, std::pair{0, 1}}) {
        if (!within(i, j) || !within(i + across, j + down)) continue;
        const int one = level(i, j), other = level(i + across, j + down);
        pairs[static_cast<std::size_t>(std::max(one, other))][static_cast<std::size_t>(std::min(one, other))] += 1;
        squares += (one - other) * (one - other);
        count += 1;
      }
  for (const auto& row : pairs)
    for (const double alike : row)
      if (alike != 0) entropy -= alike / count * std::log2(alike / count);
  return {(x + 0.5) / image.width,
          (y + 0.5) / image.height,
          (116 * fy - 16) / 100,
          5 * (fx - fy),
          2 * (fy - fz),
          count == 0 ? 0 : std::sqrt(squares / count) / 15,
          entropy / std::log2(136.0)};
}

Verdict judge_features(const std::vector<ImageFeature>& features, const MadeImage& image, std::uint32_t window) {
  for (std::size_t point = 0; point < features.size(); ++point) {
    // Where it is follows from what it says itself.
    const auto x = static_cast<std::uint32_t>(features[point][0] * static_cast<float>(image.width));
    const auto y = static_cast<std::uint32_t>(features[point][1] * static_cast<float>(image.height));
    if (x >= image.width || y >= image.height)
      return Verdict::fail(
          fmt::format("point {} is at ({}, {}), outside", point, features[point][0], features[point][1]));
    const auto expected = expected_feature(image, x, y, window);
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (!(std::abs(features[point][i] - expected[i]) <= 1.0 / 16384))
        return Verdict::fail(
            fmt::format("coordinate {} of point {} is {}, expected {}", i, point, features[point][i], expected[i]));
  }
  return Verdict::pass(bytes_of(features));
}

void add_features(Cases& cases) {
  std::size_t step = 0;
  for (const Picture picture : all_pictures)
    for (const auto& [width, height] : sizes)
      for (const std::uint32_t window : {2u, 4u, 19u})
        cases.push_back({fmt::format("extraction/features/{}/{}x{},window={}", name_of(picture), width, height, window),
                         step++ % 43 == 0, [=](const Context& context) {
          const MadeImage image = make_image(picture, width, height, context.seed);
          ExtractionOptions options;
          options.window = window;
          options.points = 150;
          options.sampling = window == 2 ? Sampling::grid : Sampling::random;
          return check_calls([=](Device& device) {
            SignatureExtractor extractor(device, options);
            return judge_features(extractor.features(image.view()), image, window);
          });
        }});
}

void add_signatures(Cases& cases) {
  for (const std::uint32_t points : {1u, 500u, 2048u, 5000u})
    for (const std::uint32_t most : {8u, 64u, 110u, 256u})
      for (const Sampling sampling : {Sampling::random, Sampling::grid}) {
        cases.push_back(
            {fmt::format("extraction/signatures/{}/points={},centroids={}", name_of(sampling), points, most),
             sampling == Sampling::random ? points == 2048 && most == 64 : points == 500 && most == 110,
             [=](const Context& context) {
          std::vector<MadeImage> images;
          for (std::size_t i = 0; i < 2 * std::size(sizes); ++i)
            images.push_back(make_image(all_pictures[i % std::size(all_pictures)], sizes[i % std::size(sizes)][0],
                                        sizes[i % std::size(sizes)][1], context.seed + i));
          const ExtractionOptions options = options_with(points, 4, most, 0.1f, sampling);
          const auto extract = [=](Device& device) {
            std::vector<ImageView> views;
            for (const MadeImage& image : images) views.push_back(image.view());
            return SignatureExtractor(device, options).extract(views);
          };
          return check_calls([=, expected = extract(context.reference)](Device& device) {
            const Signatures found = extract(device);
            if (found.size() != expected.size())
              return Verdict::fail(fmt::format("{} signatures of {} images", found.size(), expected.size()));
            for (std::uint64_t i = 0; i < found.size(); ++i)
              if (!std::ranges::equal(found.centroids(i), expected.centroids(i)) ||
                  !std::ranges::equal(found.weights(i), expected.weights(i)))
                return Verdict::fail(fmt::format("the signature of image {} is another: {} centroids, expected {}", i,
                                                 found.length(i), expected.length(i)));
            return Verdict::pass(bytes_of(found.weights().data(), found.weights().size()));
          });
        }});
      }
}

}  // namespace

void add_extraction_cases(Cases& cases) {
  add_passes(cases);
  add_features(cases);
  add_signatures(cases);
}

}  // namespace proxel::conformance
