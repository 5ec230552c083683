#include "extraction/tables.hpp"

#include <cmath>
#include <random>

#include "proxel/arithmetic/image_feature.h"

namespace proxel::extraction {
namespace {

// The fifth root of 0 < value <= 1 by Newton's steps, from above.
double fifth_root(double value) {
  double guess = 1;
  for (;;) {
    const double next = (4 * guess + value / (guess * guess * guess * guess)) / 5;
    if (!(next < guess)) return guess;  // it falls until rounding stops it
    guess = next;
  }
}

double light_of(int channel) {
  const double value = channel / 255.0;
  if (value <= 0.04045) return value / 12.92;
  const double base = (value + 0.055) / 1.055;
  const double fifth = fifth_root(base);
  return base * base * fifth * fifth;  // to the power of 2.4
}

}  // namespace

std::array<float, 256> light_table() {
  std::array<float, 256> table{};
  for (int channel = 0; channel < 256; ++channel)
    table[static_cast<std::size_t>(channel)] = static_cast<float>(light_of(channel));
  return table;
}

double binary_logarithm(double value) {
  int exponent = 0;
  double fraction = std::frexp(value, &exponent);  // exact
  if (fraction < 0.70710678118654752) {
    fraction *= 2;
    --exponent;
  }
  // ln f = 2 atanh((f - 1) / (f + 1)), whose series ends here after z^21: z <= 0.1716.
  const double z = (fraction - 1) / (fraction + 1), square = z * z;
  double sum = 0;
  for (int odd = 21; odd >= 1; odd -= 2) sum = sum * square + 1.0 / odd;
  constexpr double two_over_ln2 = 2.8853900817779268;
  return exponent + two_over_ln2 * z * sum;
}

std::vector<std::uint32_t> entropy_table(std::uint32_t most) {
  const double unit = binary_logarithm(arithmetic::level_pairs) / (1 << 17);
  std::vector<std::uint32_t> table = {0};
  for (std::uint32_t n = 1; n <= most; ++n)
    table.push_back(static_cast<std::uint32_t>(n * binary_logarithm(n) / unit + 0.5));
  return table;
}

std::vector<std::uint32_t> random_places(std::uint32_t points, std::uint64_t seed) {
  // The standard says what this generator gives, unlike its distributions.
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < points; ++i) {
    const std::uint64_t bits = random();
    places.push_back(static_cast<std::uint32_t>(bits >> 32));
    places.push_back(static_cast<std::uint32_t>(bits));
  }
  return places;
}

}  // namespace proxel::extraction
