#include "bench/made_documents.hpp"

#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace proxel::tool {
namespace {

constexpr std::uint32_t topics = 64;

// The same with every standard library.
double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

// A rank below `count`, rank r about as often as 1 / (r + 1).
std::uint32_t zipf(std::mt19937_64& random, std::uint32_t count) {
  return static_cast<std::uint32_t>(std::exp(uniform(random) * std::log(static_cast<double>(count)))) % count;
}

}  // namespace

Matrix<float> made_documents(std::uint64_t documents, std::uint32_t terms, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  // The terms in each topic's order of preference.
  std::vector<std::vector<std::uint32_t>> preferred(topics, std::vector<std::uint32_t>(terms));
  for (auto& order : preferred)
    for (std::uint32_t i = 0; i < terms; ++i) {
      const auto place = static_cast<std::uint32_t>(random() % (i + 1));
      order[i] = order[place];
      order[place] = i;
    }
  Matrix<float> matrix(documents, terms);
  for (std::uint64_t document = 0; document < documents; ++document) {
    const auto one = static_cast<std::uint32_t>(random() % topics);
    const auto other = static_cast<std::uint32_t>(random() % topics);
    const double of_one = 0.5 + 0.5 * uniform(random);
    const double common = 0.1 + 0.3 * uniform(random);
    for (std::uint64_t left = 20 + random() % 180; left != 0; --left) {
      const std::uint32_t rank = zipf(random, terms);
      const bool shared = uniform(random) < common;
      const std::uint32_t topic = uniform(random) < of_one ? one : other;
      matrix(document, shared ? rank : preferred[topic][rank]) += 1;
    }
  }
  return matrix;
}

}  // namespace proxel::tool
