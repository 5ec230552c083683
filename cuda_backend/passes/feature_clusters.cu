#include "kernels/chain.cuh"
#include "kernels/variant.cuh"
#include "proxel/arithmetic/image_feature.h"
#include "proxel/passes/feature_clusters.h"

namespace proxel::cuda {
namespace {

using namespace arithmetic;
using passes::feature_coordinates;
using Parameters = passes::FeatureClustersParameters;

constexpr unsigned clusters_block = 128;
constexpr unsigned nowhere = 0xFFFFFFFFu;

// Seven coordinates and nothing, by two loads of 16 bytes.
constexpr unsigned centroid_floats = 8;
struct Centroid {
  float4 first, second;
};

__device__ float squared_distance(const float4& a, const float4& b, const Centroid& other) {
  float difference = a.x - other.first.x;
  float sum = difference * difference;
  difference = a.y - other.first.y;
  sum += difference * difference;
  difference = a.z - other.first.z;
  sum += difference * difference;
  difference = a.w - other.first.w;
  sum += difference * difference;
  difference = b.x - other.second.x;
  sum += difference * difference;
  difference = b.y - other.second.y;
  sum += difference * difference;
  difference = b.z - other.second.z;
  sum += difference * difference;
  return sum;
}

__device__ float squared_distance(const Centroid& one, const Centroid& other) {
  return squared_distance(one.first, one.second, other);
}

__device__ unsigned kept(const uint4& words, unsigned coordinate) {
  const unsigned word = coordinate < 2 ? words.x : coordinate < 4 ? words.y : coordinate < 6 ? words.z : words.w;
  return word >> 16 * (coordinate % 2) & 0xFFFFu;
}

__device__ Centroid numbers_of(const uint4& words) {
  return {make_float4(number_of(kept(words, 0)), number_of(kept(words, 1)), number_of(kept(words, 2)),
                      number_of(kept(words, 3))),
          make_float4(number_of(kept(words, 4)), number_of(kept(words, 5)), number_of(kept(words, 6)), 0)};
}

struct Shared {
  unsigned first_near[2];
  unsigned heaviest;
  unsigned least_distance;
  unsigned least_pair;
  unsigned remaining;
};

// What a workgroup knows of an image's clusters.
class Clusters {
 public:
  __device__ Clusters(const Parameters& p, unsigned most, float* memory, Shared& shared)
      : p_(p),
        shared_(shared),
        centroids_(memory),
        sums_(reinterpret_cast<unsigned*>(memory + centroid_floats * most)),
        most_(most),
        lane_(threadIdx.x) {}

  __device__ void take(unsigned image) {
    image_ = image;
    points_ =
        reinterpret_cast<const unsigned*>(p_.images)[std::size_t{image} * passes::image_words + passes::image_points];
    features_ = reinterpret_cast<const uint4*>(p_.features) + std::size_t{image} * p_.points;
  }

  __device__ void plant() {
    clusters_ = min(points_, most_);
    for (unsigned seed = lane_; seed < clusters_; seed += clusters_block) {
      const uint4 words = features_[seed * points_ / clusters_];
      for (unsigned i = 0; i < feature_coordinates; ++i) sum(seed, i) = kept(words, i);
      points_of(seed) = 1;
    }
    __syncthreads();
    find_means();
    __syncthreads();
  }

  // Joins each cluster of at least so many points with the first near one before it; the others are dropped.
  __device__ void join_near(unsigned least) {
    unsigned kept_ones = 0, turn = 0;
    if (lane_ < 2) shared_.first_near[lane_] = nowhere;
    __syncthreads();
    for (unsigned cluster = 0; cluster < clusters_; ++cluster) {
      if (points_of(cluster) < least) continue;
      for (unsigned other = lane_; other < kept_ones; other += clusters_block)
        if (squared_distance(centroid(cluster), centroid(other)) < p_.limit) {
          atomicMin(&shared_.first_near[turn], other);
          break;
        }
      __syncthreads();
      const unsigned near = shared_.first_near[turn];
      turn = 1 - turn;
      if (near != nowhere)
        add_cluster(near, cluster);
      else
        copy_cluster(kept_ones++, cluster);
      if (lane_ == 0) shared_.first_near[turn] = nowhere;
      __syncthreads();
    }
    __syncthreads();  // of clusters that are dropped everybody has seen it
    clusters_ = kept_ones;
  }

  __device__ unsigned least_after(unsigned iteration) const {
    return max(1u, min(iteration * p_.smallest_cluster, shared_.heaviest));
  }

  // Gives each point to the nearest centroid, whose sums it adds to.
  __device__ void move_to_means() {
    for (unsigned i = lane_; i < sum_words * clusters_; i += clusters_block) sums_[i] = 0;
    if (lane_ == 0) shared_.heaviest = 0;
    __syncthreads();
    for (unsigned first = lane_; first < points_; first += points_at_a_time * clusters_block) give_points(first);
    __syncthreads();
    find_means();
    for (unsigned cluster = lane_; cluster < clusters_; cluster += clusters_block)
      atomicMax(&shared_.heaviest, points_of(cluster));
    __syncthreads();
  }

  __device__ void join_until_few() {
    for (; clusters_ > p_.most_centroids; --clusters_) join_nearest_pair();
  }

  // The heaviest first, of equal ones the first; those without points not at all.
  __device__ void write() {
    if (lane_ == 0) shared_.remaining = 0;
    __syncthreads();
    float* to = reinterpret_cast<float*>(p_.centroids) + std::size_t{image_} * p_.most_centroids * feature_coordinates;
    float* weights = reinterpret_cast<float*>(p_.weights) + std::size_t{image_} * p_.most_centroids;
    for (unsigned cluster = lane_; cluster < clusters_; cluster += clusters_block) {
      const unsigned own = points_of(cluster);
      if (own == 0) continue;
      atomicAdd(&shared_.remaining, 1u);
      unsigned rank = 0;
      for (unsigned other = 0; other < clusters_; ++other)
        if (points_of(other) > own || (points_of(other) == own && other < cluster)) ++rank;
      for (unsigned i = 0; i < feature_coordinates; ++i)
        to[rank * feature_coordinates + i] = coordinate_of(cluster, i) * p_.unit;
      weights[rank] = share_of(own, points_);
    }
    __syncthreads();
    for (unsigned place = shared_.remaining + lane_; place < p_.most_centroids; place += clusters_block) {
      for (unsigned i = 0; i < feature_coordinates; ++i) to[place * feature_coordinates + i] = 0;
      weights[place] = 0;
    }
    if (lane_ == 0) reinterpret_cast<unsigned*>(p_.lengths)[image_] = shared_.remaining;
  }

 private:
  static constexpr unsigned sum_words = feature_coordinates + 1;
  // So many share what is loaded of a centroid.
  static constexpr unsigned points_at_a_time = 4;

  __device__ Centroid centroid(unsigned cluster) const {
    const auto* halves = reinterpret_cast<const float4*>(centroids_ + centroid_floats * cluster);
    return {halves[0], halves[1]};
  }
  __device__ float& coordinate_of(unsigned cluster, unsigned coordinate) {
    return centroids_[centroid_floats * cluster + coordinate];
  }
  __device__ unsigned& sum(unsigned cluster, unsigned coordinate) { return sums_[cluster * sum_words + coordinate]; }
  __device__ unsigned& points_of(unsigned cluster) { return sum(cluster, feature_coordinates); }

  __device__ void find_means() {
    for (unsigned i = lane_; i < feature_coordinates * clusters_; i += clusters_block) {
      const unsigned cluster = i % clusters_, coordinate = i / clusters_;
      const unsigned points = points_of(cluster);
      if (points != 0) coordinate_of(cluster, coordinate) = mean_of(sum(cluster, coordinate), points);
    }
  }

  // Of all threads, between barriers.
  __device__ void add_cluster(unsigned to, unsigned from) {
    const unsigned points = points_of(to) + points_of(from);
    __syncthreads();
    if (lane_ >= sum_words) return;
    const unsigned both = sum(to, lane_) + sum(from, lane_);
    sum(to, lane_) = both;
    if (lane_ < feature_coordinates) coordinate_of(to, lane_) = mean_of(both, points);
  }

  __device__ void copy_cluster(unsigned to, unsigned from) {
    if (lane_ < sum_words) sum(to, lane_) = sum(from, lane_);
    if (lane_ < feature_coordinates) coordinate_of(to, lane_) = coordinate_of(from, lane_);
  }

  __device__ void give_points(unsigned first) {
    Centroid numbers[points_at_a_time];
    uint4 words[points_at_a_time];
    float least[points_at_a_time];
    unsigned nearest[points_at_a_time];
#pragma unroll
    for (unsigned i = 0; i < points_at_a_time; ++i) {
      // Of a point that is not there nothing is added.
      words[i] = features_[min(first + i * clusters_block, points_ - 1)];
      numbers[i] = numbers_of(words[i]);
      least[i] = __int_as_float(0x7F800000);
      nearest[i] = 0;
    }
    for (unsigned cluster = 0; cluster < clusters_; ++cluster) {
      const Centroid of_cluster = centroid(cluster);
#pragma unroll
      for (unsigned i = 0; i < points_at_a_time; ++i) {
        const float distance = squared_distance(numbers[i], of_cluster);
        if (distance < least[i]) {
          least[i] = distance;
          nearest[i] = cluster;
        }
      }
    }
#pragma unroll
    for (unsigned i = 0; i < points_at_a_time; ++i) {
      if (first + i * clusters_block >= points_) break;
#pragma unroll
      for (unsigned coordinate = 0; coordinate < feature_coordinates; ++coordinate)
        atomicAdd(&sum(nearest[i], coordinate), kept(words[i], coordinate));
      atomicAdd(&points_of(nearest[i]), 1u);
    }
  }

  __device__ void join_nearest_pair() {
    if (lane_ == 0) {
      shared_.least_distance = nowhere;
      shared_.least_pair = nowhere;
    }
    __syncthreads();
    unsigned distance = nowhere, pair = nowhere;
    for (unsigned one = lane_; one < clusters_; one += clusters_block)
      for (unsigned other = one + 1; other < clusters_; ++other) {
        // Distances are not negative: their bits are in their order.
        const unsigned here = __float_as_uint(squared_distance(centroid(one), centroid(other)));
        if (here < distance) {
          distance = here;
          pair = one << 16 | other;
        }
      }
    atomicMin(&shared_.least_distance, distance);
    __syncthreads();
    if (distance == shared_.least_distance) atomicMin(&shared_.least_pair, pair);
    __syncthreads();
    const unsigned joined = shared_.least_pair & 0xFFFFu;
    add_cluster(shared_.least_pair >> 16, joined);
    __syncthreads();
    for (unsigned cluster = joined; cluster + 1 < clusters_; ++cluster) copy_cluster(cluster, cluster + 1);
    __syncthreads();
  }

  const Parameters& p_;
  Shared& shared_;
  float* centroids_;
  unsigned* sums_;  // of each cluster those of its coordinates, and then its points
  unsigned most_, lane_, image_ = 0, points_ = 0, clusters_ = 0;
  const uint4* features_ = nullptr;
};

__global__ void __launch_bounds__(clusters_block) find_clusters(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ float4 memory[];
  __shared__ Shared shared;
  Clusters clusters(p, launch.as<passes::FeatureClustersConstants>().clusters, reinterpret_cast<float*>(memory),
                    shared);
  for (unsigned image = blockIdx.x; image < p.image_count; image += gridDim.x) {
    __syncthreads();  // the image before has been written
    clusters.take(image);
    clusters.plant();
    clusters.join_near(1);
    for (unsigned iteration = 1; iteration <= p.iterations; ++iteration) {
      clusters.move_to_means();
      clusters.join_near(clusters.least_after(iteration));
    }
    clusters.join_until_few();
    clusters.move_to_means();
    clusters.write();
  }
}

}  // namespace

PROXEL_KERNEL(feature_clusters)(const Pass& pass) {
  if (pass.workgroup_size != clusters_block) return {};
  // A centroid and its sums take 32 bytes each.
  return variant(find_clusters, 64 * pass.constants_as<passes::FeatureClustersConstants>().clusters);
}

}  // namespace proxel::cuda
