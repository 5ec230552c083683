#include "bench/made_data.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <thread>
#include <vector>

#include "seeded.hpp"

namespace proxel::tool {

void in_parts(std::uint64_t count, const std::function<void(std::uint64_t, std::uint64_t)>& body) {
  const std::uint64_t parts =
      std::clamp<std::uint64_t>(count / 65536, 1, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::jthread> threads;
  for (std::uint64_t part = 1; part < parts; ++part)
    threads.emplace_back([&, part] { body(count * part / parts, count * (part + 1) / parts); });
  body(0, count / parts);
}

namespace {

// Uniform in (0, 1].
double uniform(std::uint64_t position, std::uint64_t seed) {
  return static_cast<double>((random_bits(position, seed) >> 11) + 1) * 0x1p-53;
}

constexpr std::uint64_t sift_words = 4096;
// Gradient histograms are peaked: a power of an exponential variable has their heavy tail.
constexpr double peakedness = 1.5;
constexpr double within_word = 0.5;    // scatter of features around their word
constexpr double between_views = 0.1;  // scatter of one feature over photographs

using Histogram = std::vector<double>;

double peaked(std::uint64_t position, std::uint64_t seed) {
  return std::pow(-std::log(uniform(position, seed)), peakedness);
}

Histogram word(std::uint64_t number, std::uint64_t seed) {
  Histogram values(sift_dimensions);
  for (std::uint32_t bin = 0; bin < sift_dimensions; ++bin) values[bin] = peaked(number * sift_dimensions + bin, seed);
  return values;
}

void scatter(Histogram& values, double share, std::uint64_t number, std::uint64_t seed) {
  for (std::uint32_t bin = 0; bin < sift_dimensions; ++bin)
    values[bin] = (1 - share) * values[bin] + share * peaked(number * sift_dimensions + bin, seed);
}

// Lowe 2004, section 6.1: unit length, at most 0.2 per bin, unit length again;
// stored as bytes at 512 times that.
void store(Histogram values, float* row) {
  const auto normalise = [&] {
    double squares = 0;
    for (const double value : values) squares += value * value;
    for (double& value : values) value /= std::sqrt(squares);
  };
  normalise();
  for (double& value : values) value = std::min(value, 0.2);
  normalise();
  for (std::uint32_t bin = 0; bin < sift_dimensions; ++bin)
    row[bin] = static_cast<float>(std::min(255.0, std::floor(512 * values[bin])));
}

}  // namespace

Matrix<float> normal_matrix(std::uint64_t rows, std::uint64_t columns, std::uint64_t seed) {
  Matrix<float> matrix(rows, columns);
  float* values = matrix.data();
  const std::uint64_t count = rows * columns;
  // Box and Muller 1958: two uniform values become two normal ones.
  in_parts((count + 1) / 2, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t pair = first; pair < last; ++pair) {
      const double radius = std::sqrt(-2 * std::log(uniform(2 * pair, seed)));
      const double angle = 2 * std::numbers::pi * uniform(2 * pair + 1, seed);
      values[2 * pair] = static_cast<float>(radius * std::cos(angle));
      if (2 * pair + 1 < count) values[2 * pair + 1] = static_cast<float>(radius * std::sin(angle));
    }
  });
  return matrix;
}

SiftImages sift_like(std::uint64_t images, std::uint64_t queries, std::uint64_t seed) {
  const std::uint64_t rows = images * sift_image_features;
  SiftImages made{Matrix<float>(rows, sift_dimensions), Matrix<float>(queries, sift_dimensions)};
  // Which word a feature shows, and how it differs from the word.
  const auto feature = [&](std::uint64_t number) {
    Histogram values = word(random_bits(number, seed + 1) % sift_words, seed);
    scatter(values, within_word, number, seed + 2);
    return values;
  };
  in_parts(rows, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t row = first; row < last; ++row) store(feature(row), &made.database(row, 0));
  });
  for (std::uint64_t query = 0; query < queries; ++query) {
    const bool seen_before = query % 4 == 0;
    // Features past the largest database are nobody's.
    Histogram values = feature(seen_before ? query / 4 % sift_image_features : (std::uint64_t{1} << 40) + query);
    scatter(values, between_views, query, seed + 3);
    store(std::move(values), &made.queries(query, 0));
  }
  return made;
}

}  // namespace proxel::tool
