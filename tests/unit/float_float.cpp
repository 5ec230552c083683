// Float-float arithmetic against wider types.
#include <algorithm>
#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "proxel/arithmetic/arithmetic.h"

using namespace proxel::arithmetic;

namespace {

// A number of 2^least … 2^most in magnitude.
class Numbers {
 public:
  double between(double least, double most) {
    return std::exp2(std::uniform_real_distribution<double>(least, most)(generator_));
  }
  float of_either_sign(double least, double most) {
    const auto value = static_cast<float>(between(least, most));
    return generator_() % 2 == 0 ? value : -value;
  }
  bool toss() { return generator_() % 2 == 0; }

 private:
  std::mt19937 generator_{20111024};
};

float_float split(double value) {
  const auto high = static_cast<float>(value);
  return {high, static_cast<float>(value - high)};
}

long double value_of(float_float x) { return static_cast<long double>(x.high) + x.low; }

// |found - true| / |true|, in units of 2^-bits.
double error(float_float found, long double expected, int bits) {
  return static_cast<double>(std::ldexp(std::fabs((value_of(found) - expected) / expected), bits));
}

constexpr int rounds = 200000;

}  // namespace

TEST_CASE("sums and products leave exactly what they were rounded by") {
  Numbers numbers;
  for (int i = 0; i < rounds; ++i) {
    const float a = numbers.of_either_sign(-30, 30), b = numbers.of_either_sign(-30, 30);
    const float_float sum = two_sum(a, b), product = two_product(a, b);
    CHECK(sum.high == a + b);
    CHECK(value_of(sum) == static_cast<long double>(a) + b);
    CHECK(product.high == a * b);
    CHECK(static_cast<double>(product.high) + product.low == static_cast<double>(a) * b);
    // By a fused multiply-add, as some devices do it.
    CHECK(product.low == std::fma(a, b, -product.high));
  }
}

TEST_CASE("float-float sums and products are within their bounds") {
  Numbers numbers;
  double sums = 0, products = 0, with_products = 0, squares = 0;
  for (int i = 0; i < rounds; ++i) {
    const float_float x = split(numbers.between(-20, 20)), y = split(numbers.between(-20, 20));
    const float factor = numbers.of_either_sign(-20, 20);
    // Nearly as large and of the other sign, too.
    const float_float near = split(static_cast<double>(value_of(x)) * (1 + numbers.between(-30, -1)));
    const float_float other = numbers.toss() ? y : float_float{-near.high, -near.low};
    sums = std::max(sums, error(sum_of(x, other), value_of(x) + value_of(other), 44));
    products = std::max(products, error(product_of(x, factor), value_of(x) * factor, 46));
    const float positive = std::fabs(factor);
    with_products =
        std::max(with_products, error(sum_with_product(x, y, positive), value_of(x) + value_of(y) * positive, 45));
    // Far from the origin, and near to it.
    const float offset = numbers.toss() ? 1e6f : 0.0f;
    const float a = offset + numbers.of_either_sign(-10, 10), b = offset + numbers.of_either_sign(-10, 10);
    const long double difference = static_cast<long double>(a) - b;
    squares = std::max(squares, error(sum_with_squared_difference(x, a, b), value_of(x) + difference * difference, 45));
  }
  CHECK(sums < 1);
  CHECK(products < 1);
  CHECK(with_products < 1);
  CHECK(squares < 1);
  const float_float x = split(0.1);
  const float_float nothing = sum_of(x, {-x.high, -x.low});
  CHECK(nothing.high == 0);
  CHECK(nothing.low == 0);
}

TEST_CASE("exponentials, roots and inverses are within their bounds") {
  Numbers numbers;
  double exponentials = 0, roots = 0, inverses = 0;
  for (int i = 0; i < rounds; ++i) {
    const float_float x = split(std::min(numbers.between(-60, 5.2), 34.6));
    exponentials = std::max(exponentials, error(exponential_of_minus(x), std::exp(-value_of(x)), 42));
    const float_float y = split(numbers.between(-76, 118));
    roots = std::max(roots, error(root_of(y), std::sqrt(value_of(y)), 43));
    const float_float z = split(numbers.between(-59, 59));
    inverses = std::max(inverses, error(inverse_of(z), 1 / value_of(z), 43));
  }
  CHECK(exponentials < 1);
  CHECK(roots < 1);
  CHECK(inverses < 1);
  CHECK(exponential_of_minus({0, 0}).high == 1);
  CHECK(exponential_of_minus({0, 0}).low == 0);
  CHECK(exponential_of_minus({34.65f, 0}).high == 0);
  CHECK(exponential_of_minus({1e35f, 0}).high == 0);
  CHECK(root_of({0, 0}).high == 0);
}

TEST_CASE("similarities are within their bound") {
  Numbers numbers;
  double worst[3] = {0, 0, 0};
  for (int i = 0; i < rounds; ++i) {
    const float_float squared = split(numbers.between(-76, 5));
    const auto alpha = static_cast<float>(numbers.between(0, 1));
    const long double square = value_of(squared);
    const auto compare = [&](int kind, long double expected) {
      if (std::fabs(expected) < 0x1p-48L) return;
      worst[kind] = std::max(worst[kind], error(similarity_of(kind, alpha, squared), expected, 40));
    };
    compare(similarity_gaussian, std::exp(-alpha * square));
    compare(similarity_minus, -std::sqrt(square));
    compare(similarity_heuristic, 1 / (alpha + std::sqrt(square)));
  }
  for (const double of_kind : worst) CHECK(of_kind < 1);
  CHECK(similarity_of(similarity_heuristic, 1, {1e35f, 0}).high == 0);
  CHECK(similarity_of(similarity_minus, 1, {0, 0}).high == 0);
}

TEST_CASE("the squared distance of signatures allows for their scales") {
  // Weights of 1 and 3, of equal centroids: (1 - 3)^2.
  const signature_terms light{0x1p60f, 0, 0}, heavy{0x1.2p61f, 0, 1};  // 3 is 1.5 * 2^1
  const float_float cross{0x1.8p60f, 0};
  const float square = signature_square(light, heavy, cross, 0);
  CHECK(scaled_root(std::sqrt(square), light, heavy) == 2);
  CHECK(signature_square(light, light, {0x1p60f, 0}, 0) == 0);
  // A unit of 2^-2 halves distances.
  CHECK(scaled_root(std::sqrt(signature_square(light, heavy, cross, -2)), light, heavy) == 1);
  // So much lighter that nothing of it is left.
  const signature_terms none{0x1p60f, 0, -140};
  CHECK(scaled_root(std::sqrt(signature_square(light, none, {0x1p60f, 0}, 0)), light, none) == 1);
}
