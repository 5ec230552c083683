#pragma once

// How often a search for similar images finds what shows the same.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluation/classes.hpp"

namespace proxel::tool {

/// Precision is taken of so many nearest images.
inline constexpr std::array<std::uint64_t, 3> precision_ranks = {1, 5, 10};

struct Precision {
  std::uint64_t queries = 0;
  /// The share of the nearest images that are of the query's class, 0…1, mean over the queries; one for each of
  /// precision_ranks. A neighbour that was not found counts as one of another class.
  std::array<double, precision_ranks.size()> at{};
  /// The standard error of each of these means. Infinite for fewer than two queries.
  std::array<double, precision_ranks.size()> standard_error{};
  /// What images drawn at random from the others would reach, 0…1, mean over the queries.
  double chance = 0;
};

/// Takes the neighbours of one query after another.
class PrecisionCount {
 public:
  /// @param classes  outlive it
  explicit PrecisionCount(const Classes& classes);

  /// @param query    an image
  /// @param nearest  others than that, the nearest first; what stands behind the tenth is not looked at
  void add(std::uint64_t query, std::span<const std::uint32_t> nearest);

  Precision of_all() const;
  Precision of_class(std::uint32_t number) const { return mean(sums_[number]); }
  const Classes& classes() const { return classes_; }

 private:
  struct Sums {
    std::uint64_t queries = 0;
    std::array<double, precision_ranks.size()> shares{}, squares{};
    double chance = 0;
  };
  static Precision mean(const Sums& sums);

  const Classes& classes_;
  std::vector<Sums> sums_;  // of each class
};

/// So many different images, in ascending order; all where there are no more. The same seed
/// draws the same ones on every machine.
std::vector<std::uint32_t> drawn_images(std::uint64_t images, std::uint64_t count, std::uint64_t seed);

}  // namespace proxel::tool
