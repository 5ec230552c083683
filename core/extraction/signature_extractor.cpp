#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "extraction/extractor.hpp"
#include "extraction/tables.hpp"
#include "proxel/arithmetic/image_feature.h"
#include "proxel/error.hpp"
#include "proxel/passes/image_features.h"
#include "watch.hpp"

namespace proxel {
namespace {

using arithmetic::coordinate_one;

// What images of a round take of the device at most, unless one alone takes more.
constexpr std::uint64_t most_round_pixels = std::uint64_t{1} << 24, most_round_points = std::uint64_t{1} << 23;
// The host is told of progress more often.
constexpr std::uint64_t most_round_images = 4096, most_host_images = 256;

// Of coordinates' weights: the power of two that the largest is at most.
double scale_of(const ExtractionOptions& options) {
  const double largest = std::max({options.position, options.colour, options.texture});
  double scale = std::ldexp(1, -40);
  while (scale < largest) scale *= 2;
  return scale;
}

float limit_of(double joining_distance, double unit) {
  const double units = joining_distance / unit;
  return static_cast<float>(std::min(units * units, double{std::numeric_limits<float>::max()}));
}

void check_image(const ImageView& image) {
  const std::uint64_t pixels = std::uint64_t{image.width} * image.height;
  if (pixels == 0) throw Error(ErrorCode::invalid_argument, "image", "it has no pixels");
  if (image.rgb.size() != 3 * pixels)
    throw Error(ErrorCode::invalid_argument, "image",
                fmt::format("{} x {} pixels are {} bytes; {} were given", image.width, image.height, 3 * pixels,
                            image.rgb.size()));
}

// The first images, as many as a round takes.
std::span<const ImageView> next_round(std::span<const ImageView> images, const ExtractionOptions& options,
                                      bool runs_on_host) {
  std::uint64_t most = std::min(runs_on_host ? most_host_images : most_round_images,
                                std::max<std::uint64_t>(1, most_round_points / options.points));
  most = std::min<std::uint64_t>(most, images.size());
  std::uint64_t pixels = 0, count = 0;
  while (count < most) {
    pixels += images[count].rgb.size() / 3;
    if (count != 0 && pixels > most_round_pixels) break;
    ++count;
  }
  return images.first(count);
}

std::uint64_t pixels_of(std::span<const ImageView> images) {
  std::uint64_t pixels = 0;
  for (const ImageView& image : images) pixels += image.rgb.size() / 3;
  return pixels;
}

// The round that a device executes, which has finished before its memory is used again, whatever is thrown.
class Running {
 public:
  explicit Running(Device& device) : device_(device) {}
  ~Running() {
    try {
      wait();
    } catch (...) {  // that it has finished is all that is asked here
    }
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void begin(extraction::Round& round, const extraction::Round::Record& record) {
    round.submit(device_, record);
    round_ = &round;
  }
  /// The one that ran, or null.
  const extraction::Round* wait() {
    const extraction::Round* const round = std::exchange(round_, nullptr);
    if (round) device_.wait();
    return round;
  }

 private:
  Device& device_;
  const extraction::Round* round_ = nullptr;
};

}  // namespace

SignatureExtractor::Implementation::Implementation(Device& its_device, const ExtractionOptions& its_options)
    : device(its_device), options(its_options) {
  const double scale = scale_of(options);
  const auto parts = [&](double weight) { return static_cast<std::uint32_t>(weight / scale * coordinate_one + 0.5); };
  position = parts(options.position);
  colour = parts(options.colour);
  texture = parts(options.texture);
  const double whole_unit = scale / coordinate_one / arithmetic::mean_parts;
  unit = static_cast<float>(whole_unit);
  limit = limit_of(options.joining_distance, whole_unit);
  const std::uint32_t side = 2 * options.window + 1;
  const auto lights = extraction::light_table();
  const auto places = extraction::random_places(options.points, options.seed);
  // A pair more than there are, which counting looks up.
  const auto entropies = extraction::entropy_table(2 * side * (side - 1) + 1);
  places_at = sizeof lights;
  entropies_at = places_at + 4 * places.size();
  std::vector<std::uint32_t> words(lights.size());
  std::memcpy(words.data(), lights.data(), sizeof lights);
  words.insert(words.end(), places.begin(), places.end());
  words.insert(words.end(), entropies.begin(), entropies.end());
  tables = device.create_buffer(4 * words.size(), MemoryKind::device);
  upload(device, *tables, words.data());
}

SignatureExtractor::SignatureExtractor(Device& device, const ExtractionOptions& options) {
  check(options);
  implementation_ = std::make_unique<Implementation>(device, options);
}

SignatureExtractor::~SignatureExtractor() = default;

const ExtractionOptions& SignatureExtractor::options() const { return implementation_->options; }

double SignatureExtractor::milliseconds() const { return implementation_->milliseconds; }

Signatures SignatureExtractor::extract(std::span<const ImageView> images, const Progress& progress) {
  Implementation& made = *implementation_;
  const InUse::Scope in_use(made.in_use, "extractor");
  for (const ImageView& image : images) check_image(image);
  made.milliseconds = 0;
  Signatures signatures(image_feature_dimensions);
  const std::uint64_t all = images.size();
  std::optional<Watch> watch;
  if (progress) watch.emplace([&](double) { progress(signatures.size(), all); });
  Running running(made.device);
  const auto finish = [&] {
    const extraction::Round* round = running.wait();
    if (round == nullptr) return;
    made.milliseconds += round->milliseconds();
    round->collect(signatures);
  };
  for (std::size_t turn = 0; !images.empty(); ++turn) {
    const auto now = next_round(images, made.options, made.device.capabilities().runs_on_host);
    images = images.subspan(now.size());
    const ExtractionPlan planned = plan({static_cast<std::uint32_t>(now.size()), pixels_of(now)});
    extraction::Round& round = made.rounds[turn % 2];
    round.fill(made.device, planned, now);
    finish();
    running.begin(round,
                  [&](Recording& recording, const ExtractionBuffers& buffers) { planned.record(recording, buffers); });
  }
  finish();
  if (progress) progress(all, all);
  return signatures;
}

std::vector<ImageFeature> SignatureExtractor::features(const ImageView& image) {
  Implementation& made = *implementation_;
  const InUse::Scope in_use(made.in_use, "extractor");
  check_image(image);
  const ExtractionPlan planned = plan({1, std::uint64_t{image.width} * image.height});
  extraction::Round& round = made.rounds[0];
  round.fill(made.device, planned, {&image, 1});
  Running running(made.device);
  running.begin(round, [&](Recording& recording, const ExtractionBuffers& buffers) {
    made.record(recording, planned.description(), buffers, false);
  });
  running.wait();
  made.milliseconds = round.milliseconds();
  const std::array<std::uint32_t, 2> size = {image.width, image.height};
  const std::uint32_t points = planned.describe({&size, 1})[passes::image_points];
  const auto words = round.features(made.device, std::uint64_t{points} * passes::feature_words);
  std::vector<ImageFeature> features(points);
  for (std::uint32_t point = 0; point < points; ++point)
    for (std::size_t i = 0; i < image_feature_dimensions; ++i) {
      const std::uint32_t word = words[point * passes::feature_words + i / 2];
      features[point][i] = arithmetic::number_of(word >> 16 * (i % 2) & 0xFFFF) * made.unit;
    }
  return features;
}

}  // namespace proxel
