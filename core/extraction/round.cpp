#include "extraction/round.hpp"

#include <algorithm>
#include <cstring>

namespace proxel::extraction {
namespace {

// A word a pixel, whose last byte nobody looks at: four pixels from three words where they lie together.
std::uint32_t* pack(const ImageView& image, std::uint32_t* to) {
  const std::uint8_t* from = image.rgb.data();
  const std::uint8_t* const end = from + image.rgb.size();
  for (; end - from >= 12; from += 12, to += 4) {
    std::uint32_t words[3];
    std::memcpy(words, from, sizeof words);
    to[0] = words[0];
    to[1] = words[0] >> 24 | words[1] << 8;
    to[2] = words[1] >> 16 | words[2] << 16;
    to[3] = words[2] >> 8;
  }
  for (; from != end; from += 3) *to++ = from[0] | std::uint32_t{from[1]} << 8 | std::uint32_t{from[2]} << 16;
  return to;
}

}  // namespace

void Round::Shared::fit(Device& of, std::uint64_t bytes, MemoryKind kind) {
  if (host && host->bytes() >= bytes) return;
  host.reset();
  device.reset();
  host = of.create_buffer(bytes, kind);
  device = of.create_buffer(bytes, MemoryKind::device);
}

void Round::Shared::copy(Recording& recording, bool to_device, std::uint64_t bytes) const {
  const BufferView here(*host, 0, bytes), there(*device, 0, bytes);
  recording.copy(to_device ? here : there, to_device ? there : here);
}

void Round::take(Device& device, const ExtractionRequirements& needed) {
  needed_ = needed;
  pixels_.fit(device, needed.pixels.bytes, MemoryKind::upload);
  images_table_.fit(device, needed.images.bytes, MemoryKind::upload);
  centroids_.fit(device, needed.centroids.bytes, MemoryKind::readback);
  weights_.fit(device, needed.weights.bytes, MemoryKind::readback);
  lengths_.fit(device, needed.lengths.bytes, MemoryKind::readback);
  if (!scratch_ || scratch_->bytes() < needed.scratch.bytes) {
    scratch_.reset();
    scratch_ = device.create_buffer(needed.scratch.bytes, MemoryKind::device);
  }
  if (!commands_) commands_ = device.create_commands(Timing::passes);
}

void Round::fill(Device& device, const ExtractionPlan& plan, std::span<const ImageView> images) {
  take(device, plan.requirements());
  images_ = images.size();
  std::vector<std::array<std::uint32_t, 2>> sizes;
  auto* to = static_cast<std::uint32_t*>(pixels_.host->mapped());
  for (const ImageView& image : images) {
    sizes.push_back({image.width, image.height});
    to = pack(image, to);
  }
  const std::vector<std::uint32_t> described = plan.describe(sizes);
  std::memcpy(images_table_.host->mapped(), described.data(), described.size() * sizeof(std::uint32_t));
}

void Round::submit(Device& device, const Record& record) {
  commands_->begin();
  pixels_.copy(*commands_, true, needed_.pixels.bytes);
  images_table_.copy(*commands_, true, needed_.images.bytes);
  commands_->barrier();
  record(*commands_, {{*pixels_.device, 0, needed_.pixels.bytes},
                      {*images_table_.device, 0, needed_.images.bytes},
                      {*scratch_, 0, needed_.scratch.bytes},
                      {*centroids_.device, 0, needed_.centroids.bytes},
                      {*weights_.device, 0, needed_.weights.bytes},
                      {*lengths_.device, 0, needed_.lengths.bytes}});
  commands_->barrier();
  centroids_.copy(*commands_, false, needed_.centroids.bytes);
  weights_.copy(*commands_, false, needed_.weights.bytes);
  lengths_.copy(*commands_, false, needed_.lengths.bytes);
  commands_->end();
  device.submit(*commands_);
}

void Round::collect(Signatures& into) const {
  const auto* centroids = static_cast<const float*>(centroids_.host->mapped());
  const auto* weights = static_cast<const float*>(weights_.host->mapped());
  const auto* lengths = static_cast<const std::uint32_t*>(lengths_.host->mapped());
  const std::uint64_t most = needed_.weights.bytes / sizeof(float) / images_;
  for (std::uint64_t i = 0; i < images_; ++i) {
    const std::uint64_t length = std::min<std::uint64_t>(lengths[i], most);
    into.add({centroids + i * most * image_feature_dimensions, length * image_feature_dimensions},
             {weights + i * most, length});
  }
}

std::vector<std::uint32_t> Round::features(Device& device, std::uint64_t words) const {
  std::vector<std::uint32_t> found(words);
  download(device, {*scratch_, 0, words * sizeof(std::uint32_t)}, found.data());
  return found;
}

double Round::milliseconds() const {
  double sum = 0;
  for (const PassTime& time : commands_->pass_times())
    if (time.name != "copy" && time.name != "rest") sum += time.milliseconds;
  return sum;
}

}  // namespace proxel::extraction
