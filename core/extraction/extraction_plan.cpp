#include <algorithm>

#include <fmt/format.h>

#include "extraction/extractor.hpp"
#include "passes/grids.hpp"
#include "proxel/error.hpp"
#include "proxel/passes/feature_clusters.h"
#include "proxel/passes/image_features.h"
#include "search/bindings.hpp"
#include "search/rehearsal.hpp"

namespace proxel {

using namespace search;

namespace {

// Kernels count points and pixels in 32 bits.
constexpr std::uint64_t most_points_together = std::uint64_t{1} << 31, most_pixels_together = most_points_together;
constexpr std::uint32_t largest_side = 65536, most_grid_side = 32767;
constexpr std::uint64_t most_image_pixels = std::uint64_t{1} << 28;

std::uint64_t feature_count(const ExtractionDescription& description, const ExtractionOptions& options) {
  return std::uint64_t{description.images} * options.points * passes::feature_words;
}

// The number of columns of a grid of cells that are nearly squares: the nearest to sqrt(points * width / height).
std::uint32_t columns_of(std::uint32_t points, std::uint32_t width, std::uint32_t height) {
  // (2 c - 1)^2 h <= 4 p w, of whole numbers.
  const std::uint64_t wanted = 4 * std::uint64_t{points} * width;
  std::uint64_t least = 1, most = std::min(points, most_grid_side);
  while (least < most) {
    const std::uint64_t middle = (least + most + 1) / 2, odd = 2 * middle - 1;
    if (odd * odd <= wanted / height)
      least = middle;
    else
      most = middle - 1;
  }
  return static_cast<std::uint32_t>(least);
}

// How often the loops of an invocation turn, from above.
std::uint64_t loop_turns(const ExtractionDescription& description, const ExtractionOptions& options) {
  constexpr std::uint64_t width = passes::common_workgroup, largest = largest_grid_extent;
  const std::uint64_t groups = description.images * divide_up<std::uint64_t>(options.points, width);
  const std::uint64_t side = 2 * options.window + 1;
  const std::uint64_t of_features = divide_up(groups, largest) * (side * (side + 1) + 150);
  const std::uint64_t most = passes::clusters_for(options.most_centroids);
  // Each with the kept ones before it; points with 8 centroids a turn.
  const std::uint64_t joining = most * (1 + divide_up(most, width));
  const std::uint64_t moving =
      divide_up<std::uint64_t>(options.points, width) * (1 + divide_up<std::uint64_t>(most, 8)) +
      3 * divide_up(most, width);
  std::uint64_t of_clusters = (options.iterations + 1) * (joining + moving);
  for (std::uint64_t left = options.most_centroids + 1; left <= most; ++left)
    for (std::uint64_t one = 0; one < left; one += width) of_clusters += 3 + divide_up<std::uint64_t>(left - one, 8);
  of_clusters += divide_up<std::uint64_t>(options.most_centroids, width) * (options.most_centroids + 50);
  return std::max(of_features, divide_up<std::uint64_t>(description.images, largest) * of_clusters);
}

// Processors that pose as GPUs: llvmpipe ends an invocation's loops silently after 65,535 turns, all together.
void require_few_turns(const Device& device, const ExtractionDescription& description,
                       const ExtractionOptions& options) {
  constexpr std::uint64_t most_turns_on_host = 65535;
  if (device.info().backend != BackendKind::vulkan || !device.capabilities().runs_on_host) return;
  if (const std::uint64_t turns = loop_turns(description, options); turns > most_turns_on_host)
    throw Error(
        ErrorCode::unsupported, "extraction",
        fmt::format("with these options a kernel's loops may turn {} times; {}, a processor that poses as a GPU, "
                    "may end them after {}: take fewer points or centroids, or the device cpu",
                    turns, device.info().id, most_turns_on_host));
}

}  // namespace

void SignatureExtractor::Implementation::record(Recording& recording, const ExtractionDescription& description,
                                                const ExtractionBuffers& buffers, bool clusters) const {
  recording.push_label("extraction");
  passes::ImageFeaturesParameters features{};
  features.pixels = buffers.pixels.address();
  features.images = buffers.images.address();
  features.lights = tables->address();
  features.places = tables->address() + places_at;
  features.entropies = tables->address() + entropies_at;
  features.features = buffers.scratch.address();
  features.image_count = description.images;
  features.points = options.points;
  features.window = options.window;
  features.position = position;
  features.colour = colour;
  features.texture = texture;
  recording.record(passes::make_image_features(features));
  if (clusters) {
    recording.barrier();
    passes::FeatureClustersParameters found{};
    found.features = features.features;
    found.images = features.images;
    found.centroids = buffers.centroids.address();
    found.weights = buffers.weights.address();
    found.lengths = buffers.lengths.address();
    found.image_count = description.images;
    found.points = options.points;
    found.most_centroids = options.most_centroids;
    found.smallest_cluster = options.smallest_cluster;
    found.iterations = options.iterations;
    found.limit = limit;
    found.unit = unit;
    recording.record(passes::make_feature_clusters(found));
  }
  recording.pop_label();
}

ExtractionPlan SignatureExtractor::plan(const ExtractionDescription& description) {
  const InUse::Scope in_use(implementation_->in_use, "extractor", InUse::Again::allowed);
  require_range("images", description.images, 1, most_points_together / implementation_->options.points);
  require_range("pixels", description.pixels, description.images, most_pixels_together);
  require_few_turns(implementation_->device, description, implementation_->options);
  ExtractionPlan plan;
  plan.extractor_ = this;
  plan.description_ = description;
  RehearsalBuffer nowhere(UINT64_MAX);
  rehearse(implementation_->device, [&](Recording& rehearsal) {
    implementation_->record(rehearsal, description, {nowhere, nowhere, nowhere, nowhere, nowhere, nowhere}, true);
  });
  return plan;
}

ExtractionRequirements ExtractionPlan::requirements() const {
  if (extractor_ == nullptr) refuse_empty_plan();
  const ExtractionOptions& options = extractor_->options();
  ExtractionRequirements needed;
  needed.pixels = elements_requirement(description_.pixels);
  needed.images = elements_requirement(std::uint64_t{description_.images} * passes::image_words);
  needed.pixels.usage |= usage_transfer_destination;
  needed.images.usage |= usage_transfer_destination;
  needed.scratch = scratch_requirement(4 * feature_count(description_, options));
  needed.weights = elements_requirement(std::uint64_t{description_.images} * options.most_centroids);
  needed.centroids =
      elements_requirement(std::uint64_t{description_.images} * options.most_centroids * image_feature_dimensions);
  needed.lengths = elements_requirement(description_.images);
  return needed;
}

std::vector<std::uint32_t> ExtractionPlan::describe(std::span<const std::array<std::uint32_t, 2>> sizes) const {
  if (extractor_ == nullptr) refuse_empty_plan();
  const ExtractionOptions& options = extractor_->options();
  require_range("images", sizes.size(), description_.images, description_.images);
  std::vector<std::uint32_t> words(sizes.size() * passes::image_words);
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto [width, height] = sizes[i];
    require_range("width", width, 1, largest_side);
    require_range("height", height, 1, largest_side);
    const std::uint64_t pixels = std::uint64_t{width} * height;
    require_range("pixels", pixels, 1, std::min(most_image_pixels, description_.pixels - first));
    std::uint32_t* const image = words.data() + i * passes::image_words;
    image[passes::image_first_pixel] = static_cast<std::uint32_t>(first);
    image[passes::image_width] = width;
    image[passes::image_height] = height;
    image[passes::image_points] = options.points;
    if (options.sampling == Sampling::grid) {
      const std::uint32_t columns = columns_of(options.points, width, height);
      image[passes::image_columns] = columns;
      image[passes::image_points] = columns * std::min(options.points / columns, most_grid_side);
    }
    first += pixels;
  }
  return words;
}

void ExtractionPlan::record(Recording& recording, const ExtractionBuffers& buffers) const {
  const ExtractionRequirements needed = requirements();
  const auto& made = *extractor_->implementation_;
  Bindings bindings(recording, made.device);
  bindings.reads("pixels buffer", buffers.pixels, needed.pixels);
  bindings.reads("images buffer", buffers.images, needed.images);
  bindings.writes("scratch buffer", buffers.scratch, needed.scratch);
  bindings.writes("centroids buffer", buffers.centroids, needed.centroids);
  bindings.writes("weights buffer", buffers.weights, needed.weights);
  bindings.writes("lengths buffer", buffers.lengths, needed.lengths);
  made.record(recording, description_, buffers, true);
}

}  // namespace proxel
