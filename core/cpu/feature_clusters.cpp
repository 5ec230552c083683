// An image per thread at a time; distances of many points to some centroids at once, by the kernels of all metrics.

#include <algorithm>
#include <limits>

#include "cpu/machine.hpp"
#include "passes/feature_clustering.hpp"

namespace proxel::cpu {
namespace {

using passes::feature_coordinates;

class VectorClustering : public passes::FeatureClustering {
 public:
  VectorClustering(const passes::FeatureClustersParameters& parameters, std::uint32_t most_clusters,
                   std::uint64_t image, const Kernels& kernels)
      : FeatureClustering(parameters, most_clusters, image), kernels_(kernels) {
    coordinates_.resize(feature_coordinates * std::size_t{points()});
    for (std::uint32_t point = 0; point < points(); ++point) {
      const Numbers numbers = numbers_of(point);
      for (std::size_t i = 0; i < feature_coordinates; ++i) coordinates_[i * points() + point] = numbers[i];
    }
    least_.resize(points());
  }

 private:
  // So many distances stay in the nearest cache.
  static constexpr std::size_t points_at_a_time = 256, centroids_at_a_time = 16;

  void assign(const std::vector<Numbers>& centroids, std::vector<std::uint32_t>& nearest) override {
    Workers::look();
    std::ranges::fill(least_, std::numeric_limits<float>::infinity());
    for (std::size_t point = 0; point < points(); point += points_at_a_time)
      for (std::size_t c = 0; c < centroids.size(); c += centroids_at_a_time)
        take_nearer(centroids, c, std::min(centroids.size() - c, centroids_at_a_time), point,
                    std::min(points() - point, points_at_a_time), nearest);
  }

  void take_nearer(const std::vector<Numbers>& centroids, std::size_t first, std::size_t count, std::size_t point,
                   std::size_t point_count, std::vector<std::uint32_t>& nearest) {
    kernels_.accumulate({.metric = Metric::l2sq,
                         .rows = coordinates_.data() + point,
                         .dimension_stride = points(),
                         .queries = centroids[first].data(),
                         .query_stride = feature_coordinates,
                         .sums = distances_.data(),
                         .sums_stride = points_at_a_time,
                         .row_count = point_count,
                         .query_count = count,
                         .dimensions = feature_coordinates,
                         .from_zero = true});
    float* const least = least_.data() + point;
    std::uint32_t* const of_points = nearest.data() + point;
    for (std::size_t c = 0; c < count; ++c) {
      const float* const distances = distances_.data() + c * points_at_a_time;
      const auto number = static_cast<std::uint32_t>(first + c);
      for (std::size_t i = 0; i < point_count; ++i) of_points[i] = distances[i] < least[i] ? number : of_points[i];
      for (std::size_t i = 0; i < point_count; ++i) least[i] = std::min(least[i], distances[i]);
    }
  }

  const Kernels& kernels_;
  std::vector<float> coordinates_;  // those of all points, one coordinate after the other
  std::vector<float> least_;
  std::array<float, points_at_a_time * centroids_at_a_time> distances_{};
};

}  // namespace

void feature_clusters(const Pass& pass, Machine& machine) {
  const auto p = pass.as<passes::FeatureClustersParameters>();
  const std::uint32_t clusters = pass.constants_as<passes::FeatureClustersConstants>().clusters;
  machine.workers.for_each(p.image_count,
                           [&](std::uint64_t image) { VectorClustering(p, clusters, image, machine.kernels).run(); });
}

}  // namespace proxel::cpu
