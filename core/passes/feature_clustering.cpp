#include "passes/feature_clustering.hpp"

#include <algorithm>
#include <limits>

#include "passes/memory.hpp"
#include "proxel/arithmetic/image_feature.h"

namespace proxel::passes {

float squared_distance(const FeatureClustering::Numbers& a, const FeatureClustering::Numbers& b) {
  float sum = 0;
  for (std::size_t i = 0; i < feature_coordinates; ++i) {
    const float difference = a[i] - b[i];
    sum += difference * difference;
  }
  return sum;
}

FeatureClustering::FeatureClustering(const FeatureClustersParameters& parameters, std::uint32_t most_clusters,
                                     std::uint64_t image)
    : p_(parameters), most_clusters_(most_clusters), image_(image) {
  points_ = at<const std::uint32_t>(p_.images)[image * image_words + image_points];
  features_ = at<const std::uint32_t>(p_.features) + image * p_.points * feature_words;
  nearest_.resize(points_);
}

std::uint16_t FeatureClustering::kept(std::uint32_t point, std::size_t coordinate) const {
  const std::uint32_t word = features_[std::size_t{point} * feature_words + coordinate / 2];
  return static_cast<std::uint16_t>(word >> 16 * (coordinate % 2));
}

FeatureClustering::Numbers FeatureClustering::numbers_of(std::uint32_t point) const {
  Numbers numbers;
  for (std::size_t i = 0; i < feature_coordinates; ++i) numbers[i] = arithmetic::number_of(kept(point, i));
  return numbers;
}

FeatureClustering::Cluster FeatureClustering::cluster_of(std::uint32_t point) const {
  Cluster cluster;
  for (std::size_t i = 0; i < feature_coordinates; ++i) cluster.sums[i] = kept(point, i);
  cluster.points = 1;
  return cluster;
}

void FeatureClustering::Cluster::add(const Cluster& other) {
  for (std::size_t i = 0; i < feature_coordinates; ++i) sums[i] += other.sums[i];
  points += other.points;
}

void FeatureClustering::Cluster::find_mean() {
  for (std::size_t i = 0; i < feature_coordinates; ++i) centroid[i] = arithmetic::mean_of(sums[i], points);
}

bool FeatureClustering::near(const Cluster& one, const Cluster& other) const {
  return squared_distance(one.centroid, other.centroid) < p_.limit;
}

void FeatureClustering::plant() {
  const std::uint32_t seeds = std::min(points_, most_clusters_);
  for (std::uint32_t i = 0; i < seeds; ++i) {
    clusters_.push_back(cluster_of(i * points_ / seeds));
    clusters_.back().find_mean();
  }
}

void FeatureClustering::move_to_means() {
  std::vector<Numbers> centroids;
  for (const Cluster& cluster : clusters_) centroids.push_back(cluster.centroid);
  assign(centroids, nearest_);
  for (Cluster& cluster : clusters_) cluster = {};
  for (std::uint32_t point = 0; point < points_; ++point) clusters_[nearest_[point]].add(cluster_of(point));
  std::erase_if(clusters_, [](const Cluster& cluster) { return cluster.points == 0; });
  for (Cluster& cluster : clusters_) cluster.find_mean();
}

void FeatureClustering::drop_small(std::uint32_t iteration) {
  const std::uint32_t heaviest = std::ranges::max_element(clusters_, {}, &Cluster::points)->points;
  const std::uint32_t least = std::min(iteration * p_.smallest_cluster, heaviest);
  std::erase_if(clusters_, [&](const Cluster& cluster) { return cluster.points < least; });
}

void FeatureClustering::join_near() {
  std::vector<Cluster> kept;
  for (const Cluster& cluster : clusters_) {
    const auto other = std::ranges::find_if(kept, [&](const Cluster& before) { return near(cluster, before); });
    if (other == kept.end()) {
      kept.push_back(cluster);
    } else {
      other->add(cluster);
      other->find_mean();
    }
  }
  clusters_ = std::move(kept);
}

void FeatureClustering::join_nearest_pair() {
  float least = std::numeric_limits<float>::infinity();
  std::size_t first = 0, second = 1;
  for (std::size_t a = 0; a < clusters_.size(); ++a)
    for (std::size_t b = a + 1; b < clusters_.size(); ++b) {
      const float distance = squared_distance(clusters_[a].centroid, clusters_[b].centroid);
      if (!(distance < least)) continue;
      least = distance;
      first = a;
      second = b;
    }
  clusters_[first].add(clusters_[second]);
  clusters_[first].find_mean();
  clusters_.erase(clusters_.begin() + static_cast<std::ptrdiff_t>(second));
}

void FeatureClustering::run() {
  plant();
  join_near();
  for (std::uint32_t iteration = 1; iteration <= p_.iterations; ++iteration) {
    move_to_means();
    drop_small(iteration);
    join_near();
  }
  while (clusters_.size() > p_.most_centroids) join_nearest_pair();
  // The points of what was dropped belong to others now.
  move_to_means();
  std::ranges::stable_sort(clusters_, std::greater(), &Cluster::points);
  write();
}

void FeatureClustering::write() {
  at<std::uint32_t>(p_.lengths)[image_] = static_cast<std::uint32_t>(clusters_.size());
  auto* centroids = at<float>(p_.centroids) + image_ * p_.most_centroids * feature_coordinates;
  auto* weights = at<float>(p_.weights) + image_ * p_.most_centroids;
  std::fill_n(centroids, std::size_t{p_.most_centroids} * feature_coordinates, 0.0f);
  std::fill_n(weights, p_.most_centroids, 0.0f);
  for (const Cluster& cluster : clusters_) {
    for (const float number : cluster.centroid) *centroids++ = number * p_.unit;
    *weights++ = arithmetic::share_of(cluster.points, points_);
  }
}

}  // namespace proxel::passes
