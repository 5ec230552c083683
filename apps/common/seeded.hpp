#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "proxel/matrix.hpp"

namespace proxel::tool {

/// A random order of 0 … count-1. The same seed gives the same order on every
/// machine: the standard library's own shuffle does not promise that.
inline std::vector<std::uint64_t> shuffled(std::uint64_t count, std::uint64_t seed) {
  std::vector<std::uint64_t> order(count);
  for (std::uint64_t position = 0; position < count; ++position) order[position] = position;
  std::mt19937_64 generator(seed);
  for (std::uint64_t left = count; left > 1; --left) std::swap(order[left - 1], order[generator() % left]);
  return order;
}

/// 64 random bits that only the position and the seed decide (SplitMix64), so
/// that any machine makes the same data, whatever the number of threads.
inline std::uint64_t random_bits(std::uint64_t position, std::uint64_t seed) {
  std::uint64_t bits = (position + 1) * 0x9E3779B97F4A7C15u + seed * 0xD1342543DE82EF95u;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  return bits ^ (bits >> 31);
}

/// A value uniform in [0, 1) that they decide in the same way.
inline float random_value(std::uint64_t position, std::uint64_t seed) {
  return static_cast<float>(random_bits(position, seed) >> 40) * 0x1p-24f;
}

/// Such values.
inline Matrix<float> random_matrix(std::uint64_t rows, std::uint64_t columns, std::uint64_t seed) {
  Matrix<float> matrix(rows, columns);
  float* values = matrix.data();
  const std::uint64_t count = rows * columns;
  for (std::uint64_t position = 0; position < count; ++position) values[position] = random_value(position, seed);
  return matrix;
}

}  // namespace proxel::tool
