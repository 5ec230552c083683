// Feature signatures of images made on each device (Krulis, Lokoc, Skopal 2016): images of the size of CIFAR-10's and
// of photographs as they are reduced, a second's worth on one thread of the host, on all, and on every device.

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include <fmt/format.h>

#include "bench/host_threads.hpp"
#include "bench/suite.hpp"
#include "format.hpp"
#include "proxel/extraction.hpp"

namespace proxel::tool {
namespace {

struct MadeImages {
  std::uint32_t width = 0, height = 0;
  std::vector<std::vector<std::uint8_t>> pixels;

  std::vector<ImageView> views() const {
    std::vector<ImageView> views;
    for (const auto& rgb : pixels) views.push_back({width, height, rgb});
    return views;
  }
};

// Blocks of colours under noise, which photographs are more like than noise alone.
MadeImages make_images(std::uint32_t width, std::uint32_t height, std::uint64_t count, std::uint64_t seed) {
  constexpr std::uint32_t blocks = 6;
  std::mt19937_64 random(seed);
  MadeImages made{width, height, {}};
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint8_t colours[blocks * blocks][3];
    for (auto& colour : colours)
      for (std::uint8_t& channel : colour) channel = static_cast<std::uint8_t>(16 + random() % 200);
    std::vector<std::uint8_t> rgb;
    rgb.reserve(std::size_t{3} * width * height);
    for (std::uint32_t y = 0; y < height; ++y)
      for (std::uint32_t x = 0; x < width; ++x) {
        const std::uint64_t noise = random();
        for (int channel = 0; channel < 3; ++channel)
          rgb.push_back(static_cast<std::uint8_t>(colours[y * blocks / height * blocks + x * blocks / width][channel] +
                                                  (noise >> 8 * channel) % 24));
      }
    made.pixels.push_back(std::move(rgb));
  }
  return made;
}

class Measurement {
 public:
  static constexpr const char* all_threads = "cpu_all_threads";

  Measurement(const BenchOptions& options, Recorder& recorder, MadeImages&& images)
      : options_(options), recorder_(recorder), images_(std::move(images)), views_(images_.views()) {}

  /// @param share  of the images, on a device that takes long over all
  void run(Device& device, const std::string& name, std::uint64_t share) {
    SignatureExtractor extractor(device);
    const std::span<const ImageView> some(views_.data(), std::max<std::uint64_t>(1, views_.size() / share));
    compare(extractor.extract(some), name);
    const bool timed = device.capabilities().timestamps;
    if (timed)
      measure("passes", name, some.size(), "device time, pixels on the device", [&] {
        extractor.extract(some);
        return extractor.milliseconds();
      });
    measure("whole", name, some.size(), "host clock, with packing, upload and read-back", [&] {
      const auto start = std::chrono::steady_clock::now();
      extractor.extract(some);
      return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    });
  }

 private:
  template <typename Once>
  void measure(const std::string& what, const std::string& name, std::uint64_t count, const char* clock,
               const Once& once) {
    const Timed times = repeat(options_.patience, [&](std::uint32_t) { return once(); });
    BenchRow row;
    row.group = fmt::format("extraction_{}x{}", images_.width, images_.height);
    row.name = fmt::format("{}_{}", what, name);
    row.n = count;
    row.d = image_feature_dimensions;
    row.median_ms = times.median_ms;
    row.min_ms = times.min_ms;
    const double rate = static_cast<double>(count) / times.median_ms * 1000;
    row.remark = fmt::format("{} images/s, {}", with_separators(static_cast<std::uint64_t>(rate)), clock);
    double& of_host = host_rates_[what == "passes"];
    if (name == all_threads)
      of_host = rate;
    else if (of_host > 0)
      row.remark += fmt::format("; {} x all threads of the host", significant(rate / of_host));
    recorder_.add(row);
  }

  // Every device makes the signatures of the first.
  void compare(const Signatures& made, const std::string& name) {
    if (known_.size() == 0) known_ = made;
    for (std::uint64_t i = 0; i < std::min(made.size(), known_.size()); ++i)
      if (!std::ranges::equal(made.centroids(i), known_.centroids(i)) ||
          !std::ranges::equal(made.weights(i), known_.weights(i))) {
        recorder_.difference(fmt::format("the signature of image {} on {} is another than on the first", i, name));
        return;
      }
  }

  const BenchOptions& options_;
  Recorder& recorder_;
  MadeImages images_;
  std::vector<ImageView> views_;
  Signatures known_{image_feature_dimensions};
  double host_rates_[2] = {0, 0};
};

}  // namespace

void run_extraction(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  const std::uint32_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::uint64_t done = 0;
  for (const auto& [width, height] : {std::pair{32u, 32u}, std::pair{256u, 192u}}) {
    const std::uint64_t count = std::min<std::uint64_t>(options.quick ? 60
                                                        : width == 32 ? 32'768
                                                                      : 4096,
                                                        options.largest_rows);
    Measurement measurement(options, recorder, make_images(width, height, count, options.seed));
    // A thread of the host takes a millisecond over what a GPU does in a few microseconds.
    measurement.run(*open_with_threads(threads), Measurement::all_threads, options.quick ? 1 : 8);
    measurement.run(*open_with_threads(1), "cpu_1_thread", options.quick ? 2 : 32);
    for (const std::string& id : options.devices) {
      bar.update(done++, 2 * options.devices.size());
      if (id == "cpu") continue;
      on_device(id, recorder, [&](Device& device) {
        measurement.run(device, id, device.capabilities().runs_on_host && !options.quick ? 32 : 1);
      });
    }
  }
  recorder.note(
      fmt::format("Images made at random, 2,048 points each, the options of `proxel signatures build`; the host "
                  "has {} threads.",
                  threads));
}

}  // namespace proxel::tool
