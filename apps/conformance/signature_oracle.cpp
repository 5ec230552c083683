#include "signature_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace proxel::conformance {
namespace {

long double similarity(const SimilarityFunction& function, long double squared) {
  switch (function.kind) {
    case Similarity::gaussian:
      return std::exp(-function.alpha * squared);
    case Similarity::minus:
      return -std::sqrt(squared);
    case Similarity::heuristic:
      return 1 / (function.alpha + std::sqrt(squared));
  }
  return 0;
}

// The weighted similarities between the centroids of two signatures.
long double product(const Signatures& a, std::uint64_t i, const Signatures& b, std::uint64_t j,
                    const SimilarityFunction& function) {
  const std::uint32_t dimensions = a.dimensions();
  long double sum = 0;
  for (std::uint64_t x = 0; x < a.length(i); ++x)
    for (std::uint64_t y = 0; y < b.length(j); ++y) {
      long double squared = 0;
      for (std::uint32_t k = 0; k < dimensions; ++k) {
        const long double difference =
            static_cast<long double>(a.centroids(i)[x * dimensions + k]) - b.centroids(j)[y * dimensions + k];
        squared += difference * difference;
      }
      sum += static_cast<long double>(a.weights(i)[x]) * b.weights(j)[y] * similarity(function, squared);
    }
  return sum;
}

double total(const Signatures& signatures, std::uint64_t i) {
  const auto weights = signatures.weights(i);
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

// The largest root of a similarity between the centroids of two signatures.
double largest_root(const Signatures& a, std::uint64_t i, const Signatures& b, std::uint64_t j,
                    const SimilarityFunction& function) {
  if (function.kind == Similarity::gaussian) return 1;
  if (function.kind == Similarity::heuristic) return 1 / std::sqrt(static_cast<double>(function.alpha));
  // minus: by the diagonal of the box that holds both.
  double squared = 0;
  for (std::uint32_t k = 0; k < a.dimensions(); ++k) {
    double least = a.centroids(i)[k], most = least;
    for (const auto& [of, which] : {std::pair(&a, i), std::pair(&b, j)})
      for (std::uint64_t x = 0; x < of->length(which); ++x) {
        const double value = of->centroids(which)[x * a.dimensions() + k];
        least = std::min(least, value);
        most = std::max(most, value);
      }
    squared += (most - least) * (most - least);
  }
  return std::sqrt(std::sqrt(squared));
}

}  // namespace

std::string_view to_string(SignatureKind kind) {
  switch (kind) {
    case SignatureKind::clustered:
      return "clustered";
    case SignatureKind::identical:
      return "identical";
    case SignatureKind::near:
      return "near";
    case SignatureKind::offset:
      return "offset";
    case SignatureKind::weights:
      return "weights";
    case SignatureKind::apart:
      return "apart";
  }
  return "unknown";
}

Signatures make_signatures(const SignatureShape& shape, std::uint64_t seed) {
  Random random(seed);
  // Places are the same for all seeds, so that queries lie among the signatures.
  Random places(shape.dimensions);
  const std::uint32_t d = shape.dimensions;
  std::vector<float> centres(std::size_t{24} * d);
  for (float& value : centres) value = places.unit();
  Signatures signatures(d);
  std::vector<float> centroids, weights;
  for (std::uint64_t i = 0; i < shape.count; ++i) {
    const bool copied = i != 0 && (shape.kind == SignatureKind::identical ? i > 3 : shape.kind == SignatureKind::near);
    if (copied) {
      const std::uint64_t from = random.below(std::min<std::uint64_t>(i, 4));
      centroids.assign(signatures.centroids(from).begin(), signatures.centroids(from).end());
      weights.assign(signatures.weights(from).begin(), signatures.weights(from).end());
      if (shape.kind == SignatureKind::near) {
        const float step = std::pow(10.0f, -2.0f - static_cast<float>(random.below(6)));
        for (float& value : centroids) value += step * random.symmetric();
        for (float& weight : weights) weight *= 1.0f + step * random.symmetric();
      }
    } else {
      const auto length = shape.shortest + random.below(shape.longest - shape.shortest + 1);
      centroids.resize(length * d);
      weights.resize(length);
      const float spread = shape.kind == SignatureKind::apart ? 300.0f : 0.15f;
      for (std::uint64_t c = 0; c < length; ++c) {
        const std::uint64_t centre = random.below(24);
        for (std::uint32_t k = 0; k < d; ++k) centroids[c * d + k] = centres[centre * d + k] + spread * random.normal();
        weights[c] = 0.05f + random.unit();
      }
      const float sum = std::accumulate(weights.begin(), weights.end(), 0.0f);
      for (float& weight : weights) weight /= sum;
    }
    if (shape.kind == SignatureKind::offset)
      for (float& value : centroids) value = value * 100 + 1e6f;
    if (shape.kind == SignatureKind::weights) {
      const float scale = std::pow(10.0f, static_cast<float>(random.below(5)) * 8 - 20);
      for (float& weight : weights) weight = random.one_in(4) ? 0 : weight * scale * (random.one_in(5) ? 1e-9f : 1);
      if (random.one_in(9)) std::fill(weights.begin(), weights.end(), 0.0f);
    }
    signatures.add(centroids, weights);
  }
  return signatures;
}

Matrix<double> oracle_signature_distances(const Signatures& queries, const Signatures& objects,
                                          const SimilarityFunction& function) {
  std::vector<long double> of_objects(objects.size());
  for (std::uint64_t j = 0; j < objects.size(); ++j) of_objects[j] = product(objects, j, objects, j, function);
  Matrix<double> distances(queries.size(), objects.size());
  for (std::uint64_t i = 0; i < queries.size(); ++i) {
    const long double own = product(queries, i, queries, i, function);
    for (std::uint64_t j = 0; j < objects.size(); ++j) {
      const long double square = own + of_objects[j] - 2 * product(queries, i, objects, j, function);
      distances(i, j) = static_cast<double>(std::sqrt(std::max(square, 0.0L)));
    }
  }
  return distances;
}

std::string signature_distances_wrong(const Matrix<float>& found, const Matrix<double>& expected,
                                      const Signatures& queries, const Signatures& objects,
                                      const SimilarityFunction& function, double& worst) {
  constexpr double bound = 1e-5;
  std::string wrong;
  worst = 0;
  for (std::uint64_t i = 0; i < queries.size(); ++i)
    for (std::uint64_t j = 0; j < objects.size(); ++j) {
      const double range = (total(queries, i) + total(objects, j)) * largest_root(queries, i, objects, j, function);
      const double error = std::fabs(found(i, j) - expected(i, j));
      if (error == 0) continue;
      worst = std::max(worst, error / range);
      if (wrong.empty() && !(error <= bound * range))
        wrong = fmt::format("query {}, signature {}: {} was found, {} is right within {}", i, j, found(i, j),
                            expected(i, j), bound * range);
    }
  return wrong;
}

}  // namespace proxel::conformance
