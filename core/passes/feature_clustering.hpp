#pragma once

// The clusters of one image's points (feature_clusters.h), whoever says which centroid is the nearest of a point.

#include <array>
#include <vector>

#include "proxel/passes/feature_clusters.h"

namespace proxel::passes {

class FeatureClustering {
 public:
  using Numbers = std::array<float, feature_coordinates>;

  FeatureClustering(const FeatureClustersParameters& parameters, std::uint32_t most_clusters, std::uint64_t image);
  virtual ~FeatureClustering() = default;
  FeatureClustering(const FeatureClustering&) = delete;
  FeatureClustering& operator=(const FeatureClustering&) = delete;

  /// Finds the clusters and writes the image's signature.
  void run();

 protected:
  /// Says of each point which of the centroids is the nearest, the first of several.
  virtual void assign(const std::vector<Numbers>& centroids, std::vector<std::uint32_t>& nearest) = 0;

  std::uint32_t points() const { return points_; }
  /// What a point has, one coordinate after the other.
  Numbers numbers_of(std::uint32_t point) const;

 private:
  struct Cluster {
    std::array<std::uint32_t, feature_coordinates> sums{};
    std::uint32_t points = 0;
    Numbers centroid{};

    void add(const Cluster& other);
    void find_mean();
  };

  Cluster cluster_of(std::uint32_t point) const;
  std::uint16_t kept(std::uint32_t point, std::size_t coordinate) const;
  bool near(const Cluster& one, const Cluster& other) const;
  void plant();
  void move_to_means();
  void drop_small(std::uint32_t iteration);
  void join_near();
  void join_nearest_pair();
  void write();

  const FeatureClustersParameters& p_;
  std::uint32_t most_clusters_, points_;
  std::uint64_t image_;
  const std::uint32_t* features_;
  std::vector<Cluster> clusters_;
  std::vector<std::uint32_t> nearest_;
};

/// As every metric has it: from +0, coordinate after coordinate.
float squared_distance(const FeatureClustering::Numbers& a, const FeatureClustering::Numbers& b);

}  // namespace proxel::passes
