#include "images/image_signature.hpp"

#include <fmt/format.h>

#include <utility>

#include "proxel/error.hpp"

namespace proxel::images {
namespace {

// As many as keep a device busy; on the host they are fewer, which one can wait for.
constexpr std::size_t most_images = 4096, most_host_images = 256;
constexpr std::uint64_t most_batch_pixels = std::uint64_t{1} << 24, most_host_pixels = std::uint64_t{1} << 22;

const SignatureOptions& checked(const SignatureOptions& options) {
  check(options);
  return options;
}

}  // namespace

void check(const SignatureOptions& options) {
  proxel::check(static_cast<const ExtractionOptions&>(options));
  if (options.longest_side < 1 || options.longest_side > 65536)
    throw Error(ErrorCode::invalid_argument, "longest side",
                fmt::format("{} was given; 1 to 65536 is allowed", options.longest_side));
}

SignatureMaker::SignatureMaker(Device& device, const SignatureOptions& options, std::size_t images)
    : options_(checked(options)),
      on_host_(device.capabilities().runs_on_host),
      extractor_(device, options),
      made_(images) {}

bool SignatureMaker::is_full(const Batch& batch) const {
  return batch.images.size() >= (on_host_ ? most_host_images : most_images) ||
         batch.pixels >= (on_host_ ? most_host_pixels : most_batch_pixels);
}

void SignatureMaker::add(std::size_t number, const Image& image) {
  Image small = reduced(image, options_.longest_side);
  Batch full;
  {
    const std::lock_guard lock(batch_mutex_);
    batch_.pixels += std::uint64_t{small.width} * small.height;
    batch_.images.push_back(std::move(small));
    batch_.numbers.push_back(number);
    if (!is_full(batch_)) return;
    full = std::exchange(batch_, {});
  }
  extract(full, {});
}

void SignatureMaker::extract(const Batch& batch, const Progress& progress) {
  const std::lock_guard lock(device_mutex_);
  if (failure_) return;
  try {
    std::vector<ImageView> views;
    for (const Image& image : batch.images) views.push_back({image.width, image.height, image.rgb});
    const Signatures found = extractor_.extract(views, progress);
    for (std::size_t i = 0; i < batch.numbers.size(); ++i) {
      const auto centroids = found.centroids(i), weights = found.weights(i);
      made_[batch.numbers[i]] = {{centroids.begin(), centroids.end()}, {weights.begin(), weights.end()}};
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
}

std::vector<ImageSignature> SignatureMaker::finish(const Progress& progress) {
  const std::uint64_t before = made_.size() - batch_.images.size();
  extract(batch_, [&](std::uint64_t done, std::uint64_t) {
    if (progress) progress(before + done, made_.size());
  });
  if (failure_) std::rethrow_exception(failure_);
  return std::move(made_);
}

}  // namespace proxel::images
