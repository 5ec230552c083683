// Signatures of images.
#include <algorithm>
#include <array>
#include <random>

#include "proxel/extraction.hpp"
#include "recordable_parts.hpp"

namespace recordable {
namespace {

constexpr std::array<std::uint32_t, 2> sizes[] = {{40, 30}, {1, 1}, {17, 64}};

// Blocks of colours under noise, a word a pixel.
std::vector<std::uint32_t> pixels_of(std::uint32_t width, std::uint32_t height, std::mt19937& generator) {
  std::vector<std::uint32_t> pixels;
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x)
      pixels.push_back(static_cast<std::uint32_t>(0x305070 * (x / 9 + 2 * (y / 7)) + generator() % 8));
  return pixels;
}

std::vector<std::uint8_t> rgb_of(const std::vector<std::uint32_t>& pixels) {
  std::vector<std::uint8_t> rgb;
  for (const std::uint32_t pixel : pixels)
    for (int shift = 0; shift < 24; shift += 8) rgb.push_back(static_cast<std::uint8_t>(pixel >> shift));
  return rgb;
}

Recordable of_images(List& list) {
  std::mt19937 generator(21);
  std::vector<std::uint32_t> pixels;
  std::vector<std::vector<std::uint8_t>> channels;
  std::vector<ImageView> views;
  for (const auto& [width, height] : sizes) {
    const auto of_one = pixels_of(width, height, generator);
    pixels.insert(pixels.end(), of_one.begin(), of_one.end());
    channels.push_back(rgb_of(of_one));
  }
  for (std::size_t i = 0; i < channels.size(); ++i) views.push_back({sizes[i][0], sizes[i][1], channels[i]});
  const auto extractor = std::make_shared<SignatureExtractor>(list.device());
  const ExtractionPlan plan = extractor->plan({static_cast<std::uint32_t>(views.size()), pixels.size()});
  const auto described = plan.describe(sizes);
  const Signatures expected = SignatureExtractor(list.reference()).extract(views);
  const std::size_t most = extractor->options().most_centroids;
  std::vector<float> centroids(views.size() * most * image_feature_dimensions), weights(views.size() * most);
  std::vector<std::uint32_t> lengths;
  for (std::size_t i = 0; i < views.size(); ++i) {
    std::ranges::copy(expected.centroids(i), centroids.begin() + static_cast<std::ptrdiff_t>(i * most * 7));
    std::ranges::copy(expected.weights(i), weights.begin() + static_cast<std::ptrdiff_t>(i * most));
    lengths.push_back(static_cast<std::uint32_t>(expected.length(i)));
  }
  Recordable one;
  one.inputs = {bytes_of(pixels.data(), pixels.size()), bytes_of(described.data(), described.size())};
  one.expected = {bytes_of(centroids.data(), centroids.size()), bytes_of(weights.data(), weights.size()),
                  bytes_of(lengths.data(), lengths.size())};
  one.scratch_bytes = plan.requirements().scratch.bytes;
  call(one,
       {"pixels buffer", "images buffer", "centroids buffer", "weights buffer", "lengths buffer", "scratch buffer"});
  one.record = [extractor, plan](Recording& recording, std::span<const BufferView> buffers) {
    plan.record(recording, {buffers[0], buffers[1], buffers[5], buffers[2], buffers[3], buffers[4]});
  };
  return one;
}

}  // namespace

void add_images(List& list) {
  list.add("signatures of images", [&] { return of_images(list); });
}

}  // namespace recordable
