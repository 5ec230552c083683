#include "proxel/passes/feature_clusters.h"

#include <algorithm>
#include <limits>

#include "passes/feature_clustering.hpp"
#include "passes/grids.hpp"
#include "passes/reference.hpp"

namespace proxel {
namespace {

class PlainClustering : public passes::FeatureClustering {
 public:
  using FeatureClustering::FeatureClustering;

 private:
  void assign(const std::vector<Numbers>& centroids, std::vector<std::uint32_t>& nearest) override {
    for (std::uint32_t point = 0; point < points(); ++point) {
      const Numbers numbers = numbers_of(point);
      float least = std::numeric_limits<float>::infinity();
      for (std::uint32_t c = 0; c < centroids.size(); ++c) {
        const float distance = passes::squared_distance(numbers, centroids[c]);
        if (distance < least) nearest[point] = c;
        least = std::min(least, distance);
      }
    }
  }
};

}  // namespace

Pass passes::make_feature_clusters(const FeatureClustersParameters& parameters) {
  const std::uint32_t clusters = clusters_for(parameters.most_centroids);
  return make_pass(feature_clusters, parameters, {.clusters = clusters},
                   {std::min(parameters.image_count, largest_grid_extent), 1, 1}, common_workgroup,
                   4 * cluster_words * clusters + 32);
}

PROXEL_THREADED_PASS(feature_clusters)(const Pass& pass) {
  const auto p = pass.as<passes::FeatureClustersParameters>();
  for (std::uint64_t image = 0; image < p.image_count; ++image)
    PlainClustering(p, pass.constants_as<passes::FeatureClustersConstants>().clusters, image).run();
}

}  // namespace proxel
