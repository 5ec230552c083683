// feature_clusters: the signature of each image: k-means of its points' features that adapts the number of clusters.
// Seeds are spread over the points, and near ones joined. An iteration gives each point to the nearest centroid, the
// first of several, drops clusters that have become small, and joins near ones in their common mean, each with the
// first before it that is near. At the end the nearest pairs are joined until no more are left than are allowed, and
// points are given once more (Krulis, Lokoc, Skopal 2016).
// Distances are squared and binary32, coordinate after coordinate. Sums of coordinates are whole numbers, so that
// their order is nobody's concern, and means are rounded to a number of 24 bits (proxel/arithmetic/image_feature.h).
// Constants: clusters, as many as there may be at a time.
// Grid: x strides over the images.
#ifndef PROXEL_PASSES_FEATURE_CLUSTERS_H
#define PROXEL_PASSES_FEATURE_CLUSTERS_H
#include "image_features.h"
PROXEL_PASS_BEGIN
// Words of shared memory that a cluster takes: the sums of its coordinates, its points, its centroid and one more.
PROXEL_CONSTANT cluster_words = 16u;
struct FeatureClustersParameters {
  PROXEL_ADDRESS features;      // image_features'
  PROXEL_ADDRESS images;        // 32-bit [image_count x image_words]
  PROXEL_ADDRESS centroids;     // out: binary32 [image_count x most_centroids x 7], the heaviest first; then 0
  PROXEL_ADDRESS weights;       // out: binary32 [image_count x most_centroids], the share of the points; then 0
  PROXEL_ADDRESS lengths;       // out: 32-bit [image_count], centroids
  PROXEL_UINT image_count;      // at least 1
  PROXEL_UINT points;           // as image_features has it
  PROXEL_UINT most_centroids;   // 1 … 256, at most `clusters`
  PROXEL_UINT smallest_cluster; // after iteration i clusters of fewer than i times as many points are dropped, not all
  PROXEL_UINT iterations;       // 1 … 100
  float limit;                  // centroids at a smaller squared distance are near, in units^2
  float unit;                   // a power of two, of numbers as mean_of() gives them
  PROXEL_UINT reserved;
};
#define PROXEL_FEATURE_CLUSTERS_CONSTANTS(constant) constant(0, PROXEL_UINT, clusters, CLUSTERS, 1u)
PROXEL_CONSTANTS(FeatureClusters, PROXEL_FEATURE_CLUSTERS_CONSTANTS)
#ifdef __cplusplus
// Four times as many seeds as there may be centroids, as far as 32 KiB of shared memory hold them.
constexpr std::uint32_t clusters_for(std::uint32_t most_centroids) {
  return most_centroids < 125 ? 4 * most_centroids : 500;
}
extern const PassKindOf<FeatureClustersParameters, FeatureClustersConstants> feature_clusters;
Pass make_feature_clusters(const FeatureClustersParameters& parameters);
#endif
PROXEL_PASS_END
#endif
