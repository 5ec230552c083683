#include "signatures/similarity_scale.hpp"

#include <cmath>

#include <fmt/format.h>

#include "proxel/arithmetic/similarity_kind.h"
#include "proxel/error.hpp"

namespace proxel::signatures {

SimilarityScale::SimilarityScale(const SimilarityFunction& function)
    : kind(arithmetic::similarity_minus), exponent(0), alpha(1), unit(0) {
  // 2^unit times a square of scaled weights stays far from the ends of binary32.
  if (!(function.alpha >= 1e-15f && function.alpha <= 1e15f))
    throw Error(ErrorCode::invalid_argument, "alpha",
                fmt::format("{} was given, 1e-15 to 1e15 are allowed", function.alpha));
  if (function.kind == Similarity::minus) return;
  const int of_alpha = std::ilogb(function.alpha);
  if (function.kind == Similarity::gaussian) {
    kind = arithmetic::similarity_gaussian;
    // alpha L^2 = (alpha / 4^s) (2^s L)^2
    exponent = (of_alpha - (of_alpha & 1)) / 2;
    alpha = std::ldexp(function.alpha, -2 * exponent);
  } else {
    kind = arithmetic::similarity_heuristic;
    // 1 / (alpha + L) = 2^s / (2^s alpha + 2^s L)
    exponent = unit = -of_alpha;
    alpha = std::ldexp(function.alpha, exponent);
  }
}

float SimilarityScale::screen_factor() const {
  return kind == arithmetic::similarity_gaussian ? static_cast<float>(-alpha / std::log(2.0)) : alpha;
}

}  // namespace proxel::signatures
