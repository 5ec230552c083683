#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "images/image_signature.hpp"
#include "proxel/error.hpp"

namespace proxel::images {
namespace {

struct Cluster {
  Feature centroid;
  std::uint64_t points = 1;
};

float squared_distance(const Feature& a, const Feature& b) {
  float sum = 0;
  for (std::size_t i = 0; i < feature_dimensions; ++i) {
    const float difference = a[i] - b[i];
    sum += difference * difference;
  }
  return sum;
}

/// Gives points to centroids; coordinate by coordinate, so that the compiler takes several
/// points at once.
class Assignment {
 public:
  explicit Assignment(std::span<const Feature> features) : features_(features), nearest_(features.size()) {
    for (std::size_t i = 0; i < feature_dimensions; ++i)
      for (const Feature& feature : features) coordinates_[i].push_back(feature[i]);
    distances_.resize(features.size());
  }

  /// The nearest centroid of each point, the first of several; then each centroid is the mean
  /// of its points, and those without points are gone.
  void move_to_means(std::vector<Cluster>& clusters) {
    assign(clusters);
    using Sums = std::array<double, feature_dimensions>;
    std::vector<Sums> sums(clusters.size(), Sums{});
    for (Cluster& cluster : clusters) cluster.points = 0;
    for (std::size_t point = 0; point < features_.size(); ++point) {
      ++clusters[nearest_[point]].points;
      for (std::size_t i = 0; i < feature_dimensions; ++i) sums[nearest_[point]][i] += features_[point][i];
    }
    for (std::size_t c = 0; c < clusters.size(); ++c)
      for (std::size_t i = 0; i < feature_dimensions && clusters[c].points != 0; ++i)
        clusters[c].centroid[i] = static_cast<float>(sums[c][i] / static_cast<double>(clusters[c].points));
    std::erase_if(clusters, [](const Cluster& cluster) { return cluster.points == 0; });
  }

 private:
  static constexpr std::size_t block = 512;  // points whose coordinates stay in the nearest cache

  void assign(const std::vector<Cluster>& clusters) {
    std::ranges::fill(distances_, std::numeric_limits<float>::infinity());
    for (std::size_t first = 0; first < features_.size(); first += block)
      for (std::size_t c = 0; c < clusters.size(); ++c)
        take_nearer(clusters[c].centroid, static_cast<std::uint32_t>(c), first,
                    std::min(features_.size() - first, block));
  }

  // Loops that compilers vectorise: one coordinate of many points at a time.
  void take_nearer(const Feature& centroid, std::uint32_t number, std::size_t first, std::size_t count) {
    std::array<float, block> sums{};
    for (std::size_t i = 0; i < feature_dimensions; ++i) {
      const float* const coordinate = coordinates_[i].data() + first;
      for (std::size_t point = 0; point < count; ++point) {
        const float difference = coordinate[point] - centroid[i];
        sums[point] += difference * difference;
      }
    }
    float* const distances = distances_.data() + first;
    std::uint32_t* const nearest = nearest_.data() + first;
    for (std::size_t point = 0; point < count; ++point)
      nearest[point] = sums[point] < distances[point] ? number : nearest[point];
    for (std::size_t point = 0; point < count; ++point) distances[point] = std::min(distances[point], sums[point]);
  }

  std::span<const Feature> features_;
  std::array<std::vector<float>, feature_dimensions> coordinates_;
  std::vector<float> distances_;
  std::vector<std::uint32_t> nearest_;
};

// Both in their common mean.
void join(Cluster& into, const Cluster& other) {
  const auto own = static_cast<double>(into.points), more = static_cast<double>(other.points);
  for (std::size_t i = 0; i < feature_dimensions; ++i)
    into.centroid[i] = static_cast<float>((into.centroid[i] * own + other.centroid[i] * more) / (own + more));
  into.points += other.points;
}

void join_near(std::vector<Cluster>& clusters, float distance) {
  std::vector<Cluster> kept;
  for (const Cluster& cluster : clusters) {
    const auto near = std::ranges::find_if(kept, [&](const Cluster& other) {
      return squared_distance(cluster.centroid, other.centroid) < distance * distance;
    });
    if (near == kept.end())
      kept.push_back(cluster);
    else
      join(*near, cluster);
  }
  clusters = std::move(kept);
}

// The lightest are given up, but never all.
void drop_small(std::vector<Cluster>& clusters, std::uint64_t points) {
  const auto heaviest = std::ranges::max_element(clusters, {}, &Cluster::points);
  points = std::min(points, heaviest->points);
  std::erase_if(clusters, [&](const Cluster& cluster) { return cluster.points < points; });
}

void join_nearest_pair(std::vector<Cluster>& clusters) {
  float least = std::numeric_limits<float>::infinity();
  std::size_t first = 0, second = 1;
  for (std::size_t a = 0; a < clusters.size(); ++a)
    for (std::size_t b = a + 1; b < clusters.size(); ++b) {
      const float distance = squared_distance(clusters[a].centroid, clusters[b].centroid);
      if (!(distance < least)) continue;
      least = distance;
      first = a;
      second = b;
    }
  join(clusters[first], clusters[second]);
  clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(second));
}

}  // namespace

void check(const SignatureOptions& options) {
  const auto require = [](const char* name, auto value, auto least, auto most) {
    if (!(value >= least && value <= most))  // a NaN is not
      throw Error(ErrorCode::invalid_argument, name,
                  fmt::format("{} was given; {} to {} is allowed", value, least, most));
  };
  require("points", options.points, 1u, most_points);
  require("longest side", options.longest_side, 1u, 65536u);
  require("window", options.window, 1u, most_window);
  require("centroids", options.most_centroids, 1u, largest_most_centroids);
  require("joining distance", options.joining_distance, 0.0f, 1e6f);
  require("smallest cluster", options.smallest_cluster, 0u, most_points);
  require("iterations", options.iterations, 1u, 100u);
  require("position", options.position, 0.0f, 1e6f);
  require("colour", options.colour, 0.0f, 1e6f);
  require("texture", options.texture, 0.0f, 1e6f);
}

ImageSignature clustered(std::span<const Feature> features, const SignatureOptions& options) {
  // Four times as many seeds as there may be centroids, spread over the points.
  const std::size_t seeds = std::min<std::size_t>(features.size(), 4 * std::size_t{options.most_centroids});
  std::vector<Cluster> clusters;
  for (std::size_t i = 0; i < seeds; ++i) clusters.push_back({features[i * features.size() / seeds]});
  join_near(clusters, options.joining_distance);
  Assignment assignment(features);
  for (std::uint32_t iteration = 1; iteration <= options.iterations; ++iteration) {
    assignment.move_to_means(clusters);
    drop_small(clusters, std::uint64_t{iteration} * options.smallest_cluster);
    join_near(clusters, options.joining_distance);
  }
  while (clusters.size() > options.most_centroids) join_nearest_pair(clusters);
  // The points of what was given up belong to others now.
  assignment.move_to_means(clusters);
  std::ranges::stable_sort(clusters, std::greater(), &Cluster::points);
  ImageSignature signature;
  for (const Cluster& cluster : clusters) {
    signature.centroids.insert(signature.centroids.end(), cluster.centroid.begin(), cluster.centroid.end());
    signature.weights.push_back(
        static_cast<float>(static_cast<double>(cluster.points) / static_cast<double>(features.size())));
  }
  return signature;
}

}  // namespace proxel::images
