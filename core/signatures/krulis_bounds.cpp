// Let u be half a unit in the last place of the precision, W the sum of both signatures' weights,
// d the dimensions and K the items of an invocation, the length of both squared over 256,
// rounded up.
// - L2^2: each term rounds three times (its difference counts twice), d - 1 sums once: relative
//   (d + 2) u. The scale errs by 2 u, the product with it by u: y by (d + 5) u.
// - f = 2^-y changes by at most max(f y ln 2) = 1/e < 0.37 times the relative change of y. The
//   polynomial errs by 0.2 u, its last steps by at most u + 0.42/0.7 u and the ones before by less than
//   0.8 u, relative to f; what is left out beyond 2^-60 is below 0.01 u of either precision.
// - The product of the weights and that with f round once each.
//   So an item errs by at most (0.37 (d + 5) + 2.7 + 2) u < (0.37 d + 7) u times w_i w_j.
// - K - 1 sums of an invocation, 255 of the first one, each of at most W^2 in magnitude: (K + 255) u W^2.
// A twentieth to spare covers products of errors. Products and sums that leave the range of normal
// numbers add at most 2^32 times 2^-126 and, where the sum is taken for 0, 2^-126.
// The root and what it is taken of are rounded to binary32 once each: 3 units of 2^-24 of the square.

#include "signatures/krulis_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace proxel {
namespace krulis {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr double of_square = 0x1p-22;  // four units of 2^-24
constexpr double of_sums = 0x1p-40;    // of the double arithmetic here
constexpr double of_limits = 0x1p-20;  // and of what bounds compared with a limit round

float down(double value) { return std::nextafter(static_cast<float>(value), -infinity); }
float up(double value) { return std::nextafter(static_cast<float>(value), infinity); }

}  // namespace

Interval true_distance(float computed, double error) {
  const double square = double{computed} * computed;
  const double low = square * (1 - of_square) - error, high = square * (1 + of_square) + error;
  return {std::max(down(std::sqrt(std::max(low, 0.0)) * (1 - of_sums)), 0.0f), up(std::sqrt(high) * (1 + of_sums))};
}

float exclusion_limit(float radius, double error) {
  const double square = double{radius} * radius * (1 + of_square) + error;
  return static_cast<float>(std::sqrt(square) * (1 + of_limits));
}

}  // namespace krulis

double sqfd_error(SqfdPrecision precision, std::uint32_t dimensions, std::uint64_t length, double weight_sum) {
  const double u = precision == SqfdPrecision::float32 ? 0x1p-24 : 0x1p-53;
  const double items = std::ceil(static_cast<double>(length) * static_cast<double>(length) / passes::sqfd_workgroup);
  const double steps = 0.37 * dimensions + 7 + items + 255;
  constexpr double underflow = 1e-28;
  return 1.05 * steps * u * weight_sum * weight_sum + underflow;
}

}  // namespace proxel
