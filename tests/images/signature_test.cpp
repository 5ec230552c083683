// Signatures of images: colours against known values, textures by hand, and what has to
// hold of clusters.
#include <algorithm>
#include <cmath>
#include <random>

#include <zlib.h>

#include "extractor.hpp"
#include "images/image_signature.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;
using namespace proxel::images;

namespace {

using Colour = std::array<int, 3>;
constexpr Colour white = {255, 255, 255}, red = {255, 0, 0}, blue = {0, 0, 255};

// L, a and b of an image of one pixel, known to 1 / 16384 of 100.
std::array<double, 3> lab_of(Colour colour) {
  SignatureOptions options;
  options.points = 1;
  const auto feature = Extractor(options).features(made_image(1, 1, [&](auto, auto) { return colour; })).at(0);
  return {100.0 * feature[2], 100.0 * feature[3], 100.0 * feature[4]};
}

void check_lab(Colour colour, double lightness, double a, double b) {
  const auto lab = lab_of(colour);
  CHECK(std::abs(lab[0] - lightness) < 0.01);
  CHECK(std::abs(lab[1] - a) < 0.01);
  CHECK(std::abs(lab[2] - b) < 0.01);
}

// A square of that colour on white, its left upper corner at (x, y).
Image square(Colour colour, std::uint32_t x, std::uint32_t y, std::uint32_t side = 16, std::uint32_t of = 64) {
  return made_image(of, of, [&](std::uint32_t at_x, std::uint32_t at_y) {
    return at_x >= x && at_x < x + side && at_y >= y && at_y < y + side ? colour : white;
  });
}

// Random colours in blocks, which photographs are more like than noise.
Image blocks(std::uint32_t seed, std::uint32_t width = 96, std::uint32_t height = 64) {
  std::mt19937 random(seed);
  std::vector<Colour> colours(64);
  for (Colour& colour : colours)
    for (int& channel : colour) channel = static_cast<int>(random() % 256);
  return made_image(width, height,
                    [&](std::uint32_t x, std::uint32_t y) { return colours[y * 8 / height * 8 + x * 8 / width]; });
}

struct Mean {
  double weight = 0;
  std::array<double, feature_dimensions> of{};
};

// The mean of all centroids for which `chosen` holds.
template <typename Chosen>
Mean mean_of(const ImageSignature& signature, const Chosen& chosen) {
  Mean mean;
  for (std::size_t i = 0; i < signature.weights.size(); ++i) {
    const float* centroid = signature.centroids.data() + i * feature_dimensions;
    if (!chosen(centroid)) continue;
    mean.weight += signature.weights[i];
    for (std::size_t d = 0; d < feature_dimensions; ++d) mean.of[d] += double{signature.weights[i]} * centroid[d];
  }
  for (double& value : mean.of) value /= mean.weight;
  return mean;
}

Mean coloured(const ImageSignature& signature) {
  return mean_of(signature, [](const float* centroid) { return std::abs(centroid[3]) + std::abs(centroid[4]) > 0.5f; });
}

std::uint32_t checksum(const ImageSignature& signature) {
  const auto of = [](std::uint32_t before, const std::vector<float>& values) {
    std::string bytes;
    for (const float value : values) bytes += bytes_of(value);
    return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  };
  return of(of(0, signature.centroids), signature.weights);
}

}  // namespace

TEST_CASE("colours have the CIELAB values that tables give") {
  check_lab(white, 100, 0, 0);
  check_lab({0, 0, 0}, 0, 0, 0);
  check_lab(red, 53.24, 80.09, 67.20);
  check_lab({0, 255, 0}, 87.73, -86.18, 83.18);
  check_lab(blue, 32.30, 79.19, -107.86);
  check_lab({255, 255, 0}, 97.14, -21.55, 94.48);
  check_lab({119, 119, 119}, 50.03, 0, 0);
  check_lab({1, 1, 1}, 0.27, 0, 0);
}

TEST_CASE("greys have no colour") {
  for (int level = 0; level < 256; ++level) {
    const auto lab = lab_of({level, level, level});
    CHECK(lab[1] == 0);
    CHECK(lab[2] == 0);
  }
}

TEST_CASE("contrast and entropy of windows that can be counted by hand") {
  SignatureOptions options;
  options.points = 1;
  options.sampling = Sampling::grid;
  options.window = 2;
  const auto texture = [&](const auto& colour, std::uint32_t side = 9) {
    const auto features = Extractor(options).features(made_image(side, side, colour));
    REQUIRE(features.size() == 1);
    return std::pair<double, double>(features[0][5], features[0][6]);
  };
  const Colour black = {0, 0, 0};
  CHECK(texture([&](auto, auto) { return red; }) == std::pair(0.0, 0.0));
  // Every pixel beside one of the other colour: the largest contrast, always the same pair.
  const auto chequered = texture([&](auto x, auto y) { return (x + y) % 2 ? white : black; });
  CHECK(chequered.first == 1);
  CHECK(chequered.second == 0);
  // Stripes, 5 x 5 pixels around (4, 4), columns 2 … 6 of which 2, 4, 6 are black: 20 pairs in
  // rows, all different; in columns 12 of black and 8 of white.
  const auto striped = texture([&](auto x, auto) { return x % 2 ? white : black; });
  CHECK(std::abs(striped.first - std::sqrt(0.5)) < 1.0 / 16384);
  const auto part = [](double p) { return -p * std::log2(p); };
  CHECK(std::abs(striped.second - (part(20 / 40.0) + part(12 / 40.0) + part(8 / 40.0)) / std::log2(136)) < 1.0 / 16384);
  // A single pixel has no neighbours.
  CHECK(texture([&](auto, auto) { return white; }, 1) == std::pair(0.0, 0.0));
}

TEST_CASE("positions are within the image, of a grid evenly, of random points everywhere") {
  SignatureOptions options;
  options.sampling = Sampling::grid;
  options.points = 8;
  const auto even = Extractor(options).features(gradient(64, 32));
  REQUIRE(even.size() == 8);
  CHECK(std::abs(even[0][0] - 8.5f / 64) < 1e-4);
  CHECK(std::abs(even[3][0] - 56.5f / 64) < 1e-4);
  CHECK(std::abs(even[7][1] - 24.5f / 32) < 1e-4);
  options.sampling = Sampling::random;
  options.points = 4096;
  const auto random = Extractor(options).features(gradient(10, 10));
  REQUIRE(random.size() == 4096);
  std::array<int, 100> hits{};
  for (const ImageFeature& feature : random) {
    CHECK((feature[0] > 0 && feature[0] < 1 && feature[1] > 0 && feature[1] < 1));
    ++hits[static_cast<std::size_t>(feature[0] * 10) * 10 + static_cast<std::size_t>(feature[1] * 10)];
  }
  CHECK(*std::ranges::min_element(hits) > 10);  // of 41 on average
  CHECK(*std::ranges::max_element(hits) < 90);
}

TEST_CASE("weights add up to 1, heaviest first, of no more centroids than are allowed") {
  for (const std::uint32_t most : {1u, 2u, 5u, 64u})
    for (const std::uint32_t points : {1u, 7u, 500u, 2048u})
      for (std::uint32_t seed = 0; seed < 5; ++seed) {
        SignatureOptions options;
        options.most_centroids = most;
        options.points = points;
        options.joining_distance = seed == 0 ? 0 : 0.1f;
        const ImageSignature signature = Extractor(options).extract(blocks(seed));
        CHECK(signature.weights.size() >= 1);
        CHECK(signature.weights.size() <= std::min(most, points));
        CHECK(signature.centroids.size() == signature.weights.size() * feature_dimensions);
        double sum = 0;
        for (const float weight : signature.weights) {
          CHECK(weight > 0);
          sum += weight;
        }
        CHECK(std::abs(sum - 1) < 1e-6);
        CHECK(std::ranges::is_sorted(signature.weights, std::greater()));
      }
}

TEST_CASE("the number of centroids follows the image") {
  const Extractor extractor;
  SignatureOptions anywhere;
  anywhere.position = 0;
  // One colour without positions is one centroid; with them, several that tell places alone.
  const Image plain = square(red, 0, 0, 64);
  const ImageSignature one = Extractor(anywhere).extract(plain);
  REQUIRE(one.weights == std::vector<float>{1});
  CHECK(std::abs(one.centroids[2] - 0.5324) < 1e-3);
  CHECK(one.centroids[0] == 0);
  const ImageSignature places = extractor.extract(plain);
  for (std::size_t i = 0; i < places.weights.size(); ++i)
    CHECK(std::abs(places.centroids[i * feature_dimensions + 3] - 0.8009) < 1e-3);
  CHECK(extractor.extract(blocks(1)).weights.size() > places.weights.size());
}

TEST_CASE("what moves in the image moves its centroids, what changes colour changes their colour") {
  SignatureOptions options;
  options.sampling = Sampling::grid;
  options.points = 4096;  // every pixel
  const Extractor extractor(options);
  const Mean before = coloured(extractor.extract(square(red, 8, 16)));
  CHECK(std::abs(before.weight - 1.0 / 16) < 1e-3);
  CHECK(std::abs(before.of[0] - 16.0 / 64) < 1e-2);
  CHECK(std::abs(before.of[1] - 24.0 / 64) < 1e-2);
  const Mean moved = coloured(extractor.extract(square(red, 40, 24)));
  CHECK(std::abs(moved.of[0] - before.of[0] - 0.5) < 1e-2);
  CHECK(std::abs(moved.of[1] - before.of[1] - 0.125) < 1e-2);
  for (const std::size_t same : {2, 3, 4, 5, 6}) CHECK(std::abs(moved.of[same] - before.of[same]) < 2e-2);
  const Mean recoloured = coloured(extractor.extract(square(blue, 8, 16)));
  CHECK(std::abs(recoloured.of[0] - before.of[0]) < 1e-2);
  CHECK(std::abs(recoloured.of[1] - before.of[1]) < 1e-2);
  CHECK(std::abs(recoloured.of[3] - 0.7919) < 2e-2);
  CHECK(std::abs(recoloured.of[4] + 1.0786) < 2e-2);
}

TEST_CASE("the same image and options make the same bits, recorded here for every machine") {
  const Image image = blocks(3);
  SignatureOptions options;
  CHECK(checksum(Extractor(options).extract(image)) == 2750728272u);
  options.sampling = Sampling::grid;
  options.position = 0.5f;
  options.window = 7;
  CHECK(checksum(Extractor(options).extract(image)) == 2774867316u);
  options.sampling = Sampling::random;
  options.seed = 2;
  const std::uint32_t other = checksum(Extractor(options).extract(image));
  options.seed = 3;
  CHECK(checksum(Extractor(options).extract(image)) != other);
}

TEST_CASE("a larger picture of the same has nearly the same signature") {
  SignatureOptions options;
  options.longest_side = 96;
  const Extractor extractor(options);
  const ImageSignature small = extractor.extract(blocks(5)), large = extractor.extract(blocks(5, 960, 640));
  // Every pixel of the small one is 10 x 10 equal ones of the other.
  CHECK(small.centroids == large.centroids);
  CHECK(small.weights == large.weights);
}

TEST_CASE("options that are not allowed are told with what is") {
  const auto refusal = [](const auto& change) {
    SignatureOptions options;
    change(options);
    try {
      Extractor extractor(options);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::invalid_argument);
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal([](auto&) {}) == "");
  CHECK(refusal([](auto& options) { options.points = 0; }) == "points: 0 was given; 1 to 65536 is allowed");
  CHECK(refusal([](auto& options) { options.window = 33; }) == "window: 33 was given; 1 to 32 is allowed");
  CHECK(refusal([](auto& options) { options.most_centroids = 257; }) ==
        "centroids: 257 was given; 1 to 256 is allowed");
  CHECK(refusal([](auto& options) { options.joining_distance = NAN; }) ==
        "joining distance: nan was given; 0 to 1000000 is allowed");
  CHECK(refusal([](auto& options) { options.colour = -1; }).starts_with("colour: -1 was given"));
}
