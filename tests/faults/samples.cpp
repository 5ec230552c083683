#include "samples.hpp"

#include <random>
#include <string>
#include <vector>

namespace proxel::faults {

Matrix<float> integers(std::uint64_t rows, std::uint64_t columns, std::uint32_t seed) {
  std::mt19937 generator(seed);
  Matrix<float> values(rows, columns);
  for (std::uint64_t i = 0; i < rows * columns; ++i) values.data()[i] = static_cast<float>(generator() % 200);
  return values;
}

Strings words(std::uint64_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  Strings strings;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string word;
    for (auto length = 1 + generator() % 40; length != 0; --length)
      word += generator() % 5 == 0 ? "\xC3\xA9" : std::string(1, static_cast<char>('a' + generator() % 4));
    strings.add(word);
  }
  return strings;
}

Signatures signatures(std::uint64_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(0, 1);
  Signatures all(2);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::vector<float> weights(1 + generator() % 5), centroids(2 * weights.size());
    for (float& value : weights) value = uniform(generator);
    for (float& value : centroids) value = 4 * uniform(generator);
    all.add(centroids, weights);
  }
  return all;
}

}  // namespace proxel::faults
