#include "sqfd_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include <fmt/format.h>

#include "random.hpp"

namespace proxel::conformance {
namespace {

std::uint64_t length_of(SqfdData kind, Random& random) {
  constexpr std::uint64_t lengths[] = {1, 2, 63, 64, 65, 255, 256, 257};
  if (kind == SqfdData::lengths) return lengths[random.below(std::size(lengths))];
  // Few of the longest: about 30 on the average.
  return 8 + std::min(random.below(57), random.below(57) + 5);
}

void add_signature(SqfdData kind, Random& random, Signatures& to) {
  const std::uint32_t dimensions = to.dimensions();
  const std::uint64_t length = length_of(kind, random);
  std::vector<float> centroids, weights(length);
  std::vector<float> middle(dimensions), direction(dimensions);
  for (float& value : middle) value = random.symmetric();
  for (float& value : direction) value = random.symmetric();
  float sum = 0;
  for (std::uint64_t i = 0; i < length; ++i) {
    const float along = random.symmetric();
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      float value = middle[d] + 0.3f * random.normal();
      if (kind == SqfdData::collinear) value = 2 * along;
      if (kind == SqfdData::offset) value = 1e6f + 8 * value;
      centroids.push_back(value);
    }
    weights[i] = 0.1f + random.unit();
    if (kind == SqfdData::lengths && random.one_in(4)) weights[i] = random.one_in(2) ? 0.0f : 100.0f;
    sum += weights[i];
  }
  if (kind != SqfdData::lengths)
    for (float& weight : weights) weight /= sum;
  to.add(centroids, weights);
}

// The first of the kind, moved a little.
void add_near(const Signatures& first, Random& random, Signatures& to) {
  std::vector<float> centroids(first.centroids(0).begin(), first.centroids(0).end());
  for (float& value : centroids) value += 1e-4f * random.symmetric();
  to.add(centroids, first.weights(0));
}

std::string object_is(std::uint64_t query, std::uint32_t object, const std::string& what) {
  return fmt::format("query {}, object {}: {}", query, object, what);
}

// What is wrong with a sorted run of neighbours, and which objects it has.
std::string wrong_run(const SquaredDistances& right, std::uint64_t query, std::span<const std::uint32_t> indices,
                      std::span<const float> distances, std::set<std::uint32_t>& objects) {
  for (std::size_t rank = 0; rank < indices.size(); ++rank) {
    const std::uint32_t object = indices[rank];
    if (object >= right.objects || !objects.insert(object).second)
      return object_is(query, object, "is none, or was found before");
    if (rank > 0 && std::pair(distances[rank], object) < std::pair(distances[rank - 1], indices[rank - 1]))
      return object_is(query, object, fmt::format("stands behind a farther one at rank {}", rank));
    const double square = double{distances[rank]} * distances[rank];
    const double truth = right.squares[query * right.objects + object];
    if (!(std::abs(square - truth) <= right.bounds[query * right.objects + object] + 4e-7 * truth))
      return object_is(query, object, fmt::format("has the square {}, {} is right", square, truth));
  }
  return {};
}

// An object that is missing though its square, with its bound, is below the limit.
std::string missing(const SquaredDistances& right, std::uint64_t query, double limit,
                    const std::set<std::uint32_t>& objects) {
  for (std::uint32_t object = 0; object < right.objects; ++object) {
    const std::uint64_t pair = query * right.objects + object;
    if (right.squares[pair] * (1 + 4e-7) + right.bounds[pair] < limit && !objects.contains(object))
      return object_is(query, object, fmt::format("of square {} is missing", right.squares[pair]));
  }
  return {};
}

}  // namespace

const char* to_string(SqfdData kind) {
  switch (kind) {
    case SqfdData::clustered:
      return "clustered";
    case SqfdData::equal:
      return "equal";
    case SqfdData::near:
      return "near";
    case SqfdData::collinear:
      return "collinear";
    case SqfdData::offset:
      return "offset";
    case SqfdData::lengths:
      return "lengths";
  }
  return "unknown";
}

Signatures make_sqfd_data(SqfdData kind, std::uint64_t count, std::uint32_t dimensions, std::uint64_t seed) {
  Signatures made(dimensions), base(dimensions);
  // What signatures of both seeds have in common.
  Random common(seed / 2), random(seed + 1);
  for (int i = 0; i < 3; ++i) add_signature(kind, common, base);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t same = random.below(3);
    if (kind == SqfdData::near)
      add_near(base, random, made);
    else if (kind == SqfdData::equal || i % 29 == 7)
      made.add(base.centroids(same), base.weights(same));
    else
      add_signature(kind, random, made);
  }
  return made;
}

double oracle_squared_distance(const Signatures& a, std::uint64_t i, const Signatures& b, std::uint64_t j,
                               double alpha) {
  const auto form = [&](const Signatures& x, std::uint64_t of_x, const Signatures& y, std::uint64_t of_y) {
    long double sum = 0;
    for (std::uint64_t r = 0; r < x.length(of_x); ++r)
      for (std::uint64_t s = 0; s < y.length(of_y); ++s) {
        double squared = 0;
        for (std::uint32_t d = 0; d < x.dimensions(); ++d) {
          const double apart =
              double{x.centroids(of_x)[r * x.dimensions() + d]} - double{y.centroids(of_y)[s * x.dimensions() + d]};
          squared += apart * apart;
        }
        sum += static_cast<long double>(x.weights(of_x)[r]) * y.weights(of_y)[s] * std::exp(-alpha * squared);
      }
    return sum;
  };
  return static_cast<double>(form(a, i, a, i) + form(b, j, b, j) - 2 * form(a, i, b, j));
}

SquaredDistances oracle_squared_distances(const Signatures& database, const Signatures& queries, double alpha,
                                          double accuracy) {
  const auto weight = [](const Signatures& signatures, std::uint64_t i) {
    double sum = 0;
    for (const float value : signatures.weights(i)) sum += value;
    return sum;
  };
  SquaredDistances right;
  right.queries = queries.size();
  right.objects = database.size();
  for (std::uint64_t q = 0; q < right.queries; ++q)
    for (std::uint64_t o = 0; o < right.objects; ++o) {
      const double both = weight(queries, q) + weight(database, o);
      right.squares.push_back(oracle_squared_distance(queries, q, database, o, alpha));
      right.bounds.push_back(accuracy * both * both);
    }
  return right;
}

std::string wrong_nearest(const SquaredDistances& right, const Neighbors& found) {
  const std::uint64_t k = found.indices.columns();
  const std::uint64_t wanted = std::min(k, right.objects);
  if (found.indices.rows() != right.queries) return "another number of queries";
  for (std::uint64_t query = 0; query < right.queries; ++query) {
    std::set<std::uint32_t> objects;
    const std::span indices(found.indices.data() + query * k, k);
    const std::span distances(found.distances.data() + query * k, k);
    if (std::string wrong = wrong_run(right, query, indices.first(wanted), distances.first(wanted), objects);
        !wrong.empty())
      return wrong;
    const double farthest = distances[wanted - 1];
    if (std::string wrong = missing(right, query, farthest * farthest, objects); !wrong.empty()) return wrong;
    for (std::uint64_t rank = wanted; rank < k; ++rank)
      if (indices[rank] != no_neighbor || distances[rank] != std::numeric_limits<float>::infinity())
        return fmt::format("query {}, rank {}: not padded", query, rank);
  }
  return {};
}

std::string wrong_within(const SquaredDistances& right, float radius, const RangeNeighbors& found) {
  if (found.offsets.size() != right.queries + 1 || found.offsets.back() != found.indices.size())
    return "another number of queries or matches";
  for (std::uint64_t query = 0; query < right.queries; ++query) {
    std::set<std::uint32_t> objects;
    const std::span indices(found.indices.data() + found.offsets[query], found.count(query));
    const std::span distances(found.distances.data() + found.offsets[query], found.count(query));
    if (std::string wrong = wrong_run(right, query, indices, distances, objects); !wrong.empty()) return wrong;
    for (const float distance : distances)
      if (!(distance <= radius)) return fmt::format("query {}: a distance of {}", query, distance);
    const double limit = radius < 0 ? -1 : double{radius} * radius;
    if (std::string wrong = missing(right, query, limit, objects); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace proxel::conformance
