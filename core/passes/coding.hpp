#pragma once

// Rows and queries as 8-bit codes (screen_codes.h), in double precision.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/screen_bounds.hpp"
#include "proxel/pass.hpp"
#include "proxel/passes/screen_codes.h"
#include "proxel/passes/screen_origin.h"

namespace proxel::passes {

/// The norm that belongs to a metric.
class Norm {
 public:
  explicit Norm(Metric metric) : metric_(metric) {}

  void add(double value) {
    const double magnitude = std::fabs(value);
    if (metric_ == Metric::linf)
      sum_ = std::isnan(value) ? value : std::max(sum_, magnitude);
    else
      sum_ += metric_ == Metric::l1 ? magnitude : value * value;
  }
  /// Squares, or what is added.
  double sum() const { return sum_; }
  double value(std::uint32_t dimensions) const {
    const double sum = sum_ + norm_underflow(dimensions);
    return metric_ == Metric::l1 || metric_ == Metric::linf ? sum : std::sqrt(sum);
  }

 private:
  Metric metric_;
  double sum_ = 0;
};

/// A row or query as codes.
struct Coded {
  std::vector<std::int32_t> codes;
  bool screened = true;    // every x is finite, and so is the norm, by products the squared one
  bool unbounded = false;  // not screened, and not because of a NaN
  double step = 0;         // of its codes
  double squared_norm = 0;
  double whole = 0, coded = 0, lost = 0, unshifted = 0;  // norms: of x, of codes, of what they miss, of scale * value
};

/// What a screen_codes pass is to encode, and in which frame.
class Coding {
 public:
  explicit Coding(const Pass& pass)
      : parameters(pass.as<ScreenCodesParameters>()),
        queries(pass.constants_as<ScreenCodesConstants>().queries != 0),
        metric(pass.constants_as<ScreenCodesConstants>().metric),
        products(is_product(metric)),
        frame_(at<float>(parameters.frame)) {}

  const ScreenCodesParameters parameters;
  const bool queries;
  const Metric metric;
  const bool products;  // codes are multiplied

  float rounded_up(double norm) const { return static_cast<float>(norm * norm_rounding(parameters.dimensions)); }
  float& largest_norm() const { return frame_[1]; }
  double scale() const { return frame_[0]; }
  double step() const {
    return frame_[screen_frame_step] * (metric == Metric::linf ? screen_linf_quarters * 0.25f : 1.0f);
  }

  Coded code(std::uint64_t row) const {
    const bool shifted = !(queries && metric == Metric::ip);
    const float* origin = frame_ + screen_frame_origin;
    std::vector<float> x;
    x.reserve(parameters.dimensions);
    Norm whole(metric), squares(Metric::l2sq), unshifted(Metric::l2sq);
    float largest = 0;
    for (std::uint32_t i = 0; i < parameters.dimensions; ++i) {
      const float value = *value_address(parameters.rows, row, i);
      x.push_back(frame_[0] * (shifted ? value - origin[i] : value));
      largest = std::max(largest, std::fabs(x.back()));
      whole.add(x.back());
      squares.add(x.back());
      unshifted.add(double{frame_[0]} * value);
    }
    Coded result;
    result.codes.reserve(parameters.dimensions);
    result.squared_norm = squares.sum();
    const double norm = products ? squares.sum() : whole.sum();
    result.screened = norm <= std::numeric_limits<float>::max();
    result.unbounded = !result.screened && !std::isnan(norm);
    result.step = queries && products && largest > 0 ? double{largest} / screen_most_code : step();
    Norm coded(metric), lost(metric);
    const double per_step = 1 / result.step;
    for (const float value : x) {
      constexpr double most = screen_most_code;
      // Adding and taking off this rounds to an integer, sooner than std::nearbyint.
      constexpr double rounder = 0x1.8p52;
      const double code = result.screened ? (std::clamp(value * per_step, -most, most) + rounder) - rounder : 0;
      result.codes.push_back(static_cast<std::int32_t>(code));
      coded.add(code * result.step);
      lost.add(value - code * result.step);
    }
    const std::uint32_t dimensions = parameters.dimensions;
    result.whole = whole.value(dimensions);
    result.coded = coded.value(dimensions);
    // x itself is the true value but for the rounding of a subtraction.
    result.lost = lost.value(dimensions) + 0x1p-22 * result.whole;
    result.unshifted = unshifted.value(dimensions);
    return result;
  }

  // Codes of row `place`, `pitch` words apart.
  void write(const Coded& row, std::uint64_t place, std::uint64_t pitch) const {
    auto* words = at<std::uint32_t>(parameters.codes) + place;
    for (std::uint32_t word = 0; word < parameters.words; ++word) {
      std::uint32_t bytes = 0;
      for (std::uint32_t i = 0; i < 4 && 4 * word + i < row.codes.size(); ++i) {
        const std::int32_t code = row.codes[4 * word + i] + (products ? 0 : 128);
        bytes |= (static_cast<std::uint32_t>(code) & 0xFFu) << 8 * i;
      }
      words[word * pitch] = bytes;
    }
  }

  QueryBounds query_bounds(const Coded& query) const {
    QueryBounds bounds{};
    if (!query.screened) return bounds;
    bounds.certifiable = 1;
    const double gamma = canonical_rounding(parameters.dimensions);
    const double canonical_scale = products ? scale() * scale() : scale();
    // Never 0, so that it covers what underflows in the threshold's own formula.
    const double underflow = canonical_scale * canonical_underflow(parameters.dimensions) + 0x1p-120;
    if (!products) {
      bounds.a = 1;
      bounds.b = rounded_up(query.lost + code_rounding * query.coded);
      bounds.c = -static_cast<float>(step());
      // A row that is not screened has to be farther than what certifies.
      if (!(query.whole < 0x1p126)) bounds.certifiable = 0;
    } else {
      bounds.a = rounded_up(query.coded);
      bounds.b = rounded_up(query.lost);
      bounds.c = static_cast<float>(query.step * step());
      // Scores of longer queries may overflow.
      if (!(bounds.a < 0x1p62f)) bounds.certifiable = 0;
    }
    if (metric == Metric::ip) {
      const double largest = query.whole * largest_norm();
      bounds.fixed_slack = rounded_up(1.001 * 2 * (gamma * largest + underflow));
      // A sum that may overflow on its way to a canonical value bounds nothing.
      if (!(largest < 0x1p126 * canonical_scale)) bounds.certifiable = 0;
    } else {
      bounds.half_norm = products ? rounded_up(0.5 * query.squared_norm) : 0;
      bounds.relative_slack = rounded_up(2.1 * gamma);
      bounds.fixed_slack = rounded_up(underflow);
    }
    return bounds;
  }

 private:
  float* frame_;
};

/// Encodes a query, and writes its bounds.
void code_query(const Coding& coding, std::uint64_t query);
/// Encodes the rows of a tile, and writes their biases and bounds.
/// Returns what the largest norm of the frame is to be raised to.
float code_rows(const Coding& coding, std::uint64_t tile);

}  // namespace proxel::passes
