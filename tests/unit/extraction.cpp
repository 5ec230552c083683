// Extraction of signatures: its arithmetic against the library's, its tables, and what plans refuse.
#include <algorithm>
#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "extraction/tables.hpp"
#include "proxel/arithmetic/image_feature.h"
#include "proxel/extraction.hpp"
#include "refused.hpp"
#include "session/run_once.hpp"

using namespace proxel;
using proxel::unit::check_refused;

namespace {

struct MadeImage {
  std::uint32_t width, height;
  std::vector<std::uint8_t> rgb;
  ImageView view() const { return {width, height, rgb}; }
};

MadeImage noise(std::uint32_t width, std::uint32_t height, std::uint32_t seed) {
  std::mt19937 random(seed);
  MadeImage image{width, height, std::vector<std::uint8_t>(std::size_t{3} * width * height)};
  for (std::uint8_t& channel : image.rgb) channel = static_cast<std::uint8_t>(random());
  return image;
}

}  // namespace

TEST_CASE("logarithms, light and n log n agree with the library's") {
  for (double value : {1.0, 2.0, 3.0, 136.0, 0.7071067, 0.7071068, 1e-9, 1e9})
    CHECK(std::abs(extraction::binary_logarithm(value) - std::log2(value)) < 1e-13);
  CHECK(extraction::binary_logarithm(1) == 0);
  CHECK(extraction::binary_logarithm(1024) == 10);
  const auto lights = extraction::light_table();
  for (int channel = 0; channel < 256; ++channel) {
    const double value = channel / 255.0;
    const double light = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    CHECK(std::abs(lights[static_cast<std::size_t>(channel)] - light) < 1e-7);
  }
  const auto entropies = extraction::entropy_table(8320);
  REQUIRE(entropies.size() == 8321);
  for (std::uint32_t n = 1; n <= 8320; ++n)
    CHECK(std::abs(entropies[n] / 131072.0 - n * std::log2(n) / std::log2(136)) < 1e-5);
}

TEST_CASE("shares are quotients, correctly rounded; roots and means are exact") {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto total = static_cast<std::uint32_t>(1 + random() % 65536);
    const auto count = static_cast<std::uint32_t>(1 + random() % total);
    CHECK(arithmetic::share_of(count, total) == static_cast<float>(count) / static_cast<float>(total));
    const auto value = static_cast<std::uint32_t>(random() >> random() % 32);
    const std::uint64_t root = arithmetic::whole_root(value);
    CHECK((root * root <= value && (root + 1) * (root + 1) > value));
    const auto sum = static_cast<std::uint32_t>(count * std::uint64_t{random() % 65536});
    const double mean = static_cast<double>(sum) / count - 32768;
    CHECK(std::abs(arithmetic::mean_of(sum, count) - 256 * mean) <= 0.501);
  }
  CHECK(arithmetic::share_of(65536, 65536) == 1);
  for (std::uint32_t kept = 0; kept < 65536; ++kept) CHECK(arithmetic::mean_of(kept, 1) == arithmetic::number_of(kept));
}

TEST_CASE("cube roots are near the library's") {
  for (int i = 8; i <= 1010; ++i) {
    const float value = static_cast<float>(i) / 1000;
    CHECK(std::abs(arithmetic::cube_root(value) / std::cbrt(static_cast<double>(value)) - 1) < 5e-7);
  }
}

TEST_CASE("what is recorded finds what extract() finds, of images of other sizes the next time") {
  const auto device = open_device("cpu");
  SignatureExtractor extractor(*device);
  const ExtractionPlan plan = extractor.plan({2, 5000});
  const ExtractionRequirements needed = plan.requirements();
  const auto buffer = [&](const BufferRequirement& of, MemoryKind kind) {
    return device->create_buffer(of.bytes, kind);
  };
  const auto pixels = buffer(needed.pixels, MemoryKind::upload), images = buffer(needed.images, MemoryKind::upload),
             scratch = buffer(needed.scratch, MemoryKind::device),
             centroids = buffer(needed.centroids, MemoryKind::readback),
             weights = buffer(needed.weights, MemoryKind::readback),
             lengths = buffer(needed.lengths, MemoryKind::readback);
  for (const std::uint32_t side : {17u, 40u}) {
    const MadeImage made[] = {noise(side, 2 * side, 1), noise(side + 3, side, 2)};
    auto* pixel = static_cast<std::uint32_t*>(pixels->mapped());
    for (const MadeImage& image : made)
      for (std::size_t i = 0; i < image.rgb.size(); i += 3)
        *pixel++ =
            image.rgb[i] | std::uint32_t{image.rgb[i + 1]} << 8 | std::uint32_t{image.rgb[i + 2]} << 16 | 0xAA000000u;
    const std::array<std::uint32_t, 2> sizes[] = {{made[0].width, made[0].height}, {made[1].width, made[1].height}};
    std::ranges::copy(plan.describe(sizes), static_cast<std::uint32_t*>(images->mapped()));
    session::run_once(*device, [&](Recording& recording) {
      plan.record(recording, {*pixels, *images, *scratch, *centroids, *weights, *lengths});
    });
    const ImageView views[] = {made[0].view(), made[1].view()};
    const Signatures expected = extractor.extract(views);
    for (std::uint64_t i = 0; i < 2; ++i) {
      REQUIRE(static_cast<const std::uint32_t*>(lengths->mapped())[i] == expected.length(i));
      const auto* of_image = static_cast<const float*>(centroids->mapped()) + i * 64 * 7;
      CHECK(std::equal(expected.centroids(i).begin(), expected.centroids(i).end(), of_image));
    }
  }
}

TEST_CASE("extraction refuses what it cannot do, by name") {
  const auto device = open_device("cpu");
  SignatureExtractor extractor(*device);
  check_refused([&] { extractor.plan({0, 1}); }, "images");
  check_refused([&] { extractor.plan({2, 1}); }, "pixels");
  check_refused([&] { extractor.plan({2'000'000, 1ull << 30}); }, "images");
  check_refused([&] { ExtractionPlan().requirements(); }, "plan");
  const MadeImage image = noise(3, 4, 1);
  const ImageView none{0, 4, {}}, other{4, 4, image.rgb};
  check_refused([&] { extractor.extract({&none, 1}); }, "image");
  check_refused([&] { extractor.extract({&other, 1}); }, "image");
  const std::array<std::uint32_t, 2> size = {4, 4};
  check_refused([&] { extractor.plan({1, 15}).describe({&size, 1}); }, "pixels");
  check_refused([&] { extractor.plan({2, 32}).describe({&size, 1}); }, "images");
  CHECK(extractor.extract({}).size() == 0);
}

TEST_CASE("progress ends an extraction, and the extractor serves again") {
  const auto device = open_device("cpu");
  SignatureExtractor extractor(*device);
  const MadeImage image = noise(40, 30, 1);
  const std::vector<ImageView> views(600, image.view());
  struct Ended {};
  CHECK_THROWS_AS(extractor.extract(views, [](std::uint64_t, std::uint64_t) { throw Ended(); }), Ended);
  const Signatures found = extractor.extract(views);
  REQUIRE(found.size() == 600);
  CHECK(std::ranges::equal(found.centroids(0), found.centroids(599)));
}
