#include "images/colour.hpp"

#include <cmath>

namespace proxel::images {
namespace {

// The n-th root of 0 < value <= 1 by Newton's steps, from above.
template <int n>
double root(double value) {
  double guess = 1;
  for (;;) {
    double power = 1;
    for (int i = 1; i < n; ++i) power *= guess;
    const double next = ((n - 1) * guess + value / power) / n;
    if (!(next < guess)) return guess;  // it falls until rounding stops it
    guess = next;
  }
}

// IEC 61966-2-1: what light a channel of sRGB stands for, 0…1.
double linear(int channel) {
  const double value = channel / 255.0;
  if (value <= 0.04045) return value / 12.92;
  const double base = (value + 0.055) / 1.055;
  const double fifth = root<5>(base);
  return base * base * fifth * fifth;  // to the power of 2.4
}

const std::array<double, 256> linear_of = [] {
  std::array<double, 256> table{};
  for (int channel = 0; channel < 256; ++channel) table[channel] = linear(channel);
  return table;
}();

// CIE 15: the cube root, and a straight line near black.
double lightness(double part) {
  constexpr double delta = 6.0 / 29;
  return part > delta * delta * delta ? root<3>(part) : part / (3 * delta * delta) + 4.0 / 29;
}

}  // namespace

std::array<double, 3> lab_of(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  const double r = linear_of[red], g = linear_of[green], b = linear_of[blue];
  // This leads to XYZ; the rows are divided by their sums, those of white, so that greys have a = b = 0.
  const auto part = [&](double of_red, double of_green, double of_blue) {
    return lightness((of_red * r + of_green * g + of_blue * b) / (of_red + of_green + of_blue));
  };
  const double x = part(0.4124564, 0.3575761, 0.1804375);
  const double y = part(0.2126729, 0.7151522, 0.0721750);
  const double z = part(0.0193339, 0.1191920, 0.9503041);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
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

}  // namespace proxel::images
