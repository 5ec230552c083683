#include "proxel/passes/screen_codes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/screen_bounds.hpp"
#include "proxel/passes/screen_origin.h"

namespace proxel {

Pass passes::make_screen_codes(ScreenCodesParameters parameters, Metric metric, bool queries, std::uint32_t tiles) {
  // The largest bounds of a tile, and of a norm.
  constexpr std::uint32_t shared_bytes = 4 * 4;
  parameters.words = static_cast<std::uint32_t>(divide_up(parameters.dimensions, 4));
  return make_pass(screen_codes, parameters, {.queries = queries ? 1u : 0u, .metric = accumulated(metric)},
                   {tiles, 1, 1}, common_workgroup, shared_bytes);
}

namespace {

using namespace passes;

// The norm that belongs to a metric.
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

// A row or query as codes.
struct Coded {
  std::vector<std::int32_t> codes;
  bool screened = true;    // every x is finite, and so is the norm, by products the squared one
  bool unbounded = false;  // not screened, and not because of a NaN
  double step = 0;         // of its codes
  double squared_norm = 0;
  double whole = 0, coded = 0, lost = 0, unshifted = 0;  // norms: of x, of codes, of what they miss, of scale * value
};

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
  double step() const { return frame_[screen_frame_step]; }

  Coded code(std::uint64_t row) const {
    const bool shifted = !(queries && metric == Metric::ip);
    const float* origin = frame_ + screen_frame_origin;
    std::vector<float> x;
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
    result.squared_norm = squares.sum();
    const double norm = products ? squares.sum() : whole.sum();
    result.screened = norm <= std::numeric_limits<float>::max();
    result.unbounded = !result.screened && !std::isnan(norm);
    result.step = queries && products && largest > 0 ? double{largest} / screen_most_code : step();
    Norm coded(metric), lost(metric);
    for (const float value : x) {
      constexpr double most = screen_most_code;
      const double code = result.screened ? std::clamp(std::nearbyint(value / result.step), -most, most) : 0;
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
      bounds.factor = -static_cast<float>(step());
      // A row that is not screened has to be farther than what certifies.
      if (!(query.whole < 0x1p126)) bounds.certifiable = 0;
    } else {
      bounds.a = rounded_up(query.coded);
      bounds.b = rounded_up(query.lost);
      bounds.factor = static_cast<float>(query.step * step());
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

void code_query(const Coding& coding, std::uint64_t query) {
  const Coded coded = coding.code(query);
  coding.write(coded, query * coding.parameters.words, 1);
  at<QueryBounds>(coding.parameters.bounds)[query] = coding.query_bounds(coded);
}

void code_rows(const Coding& coding, std::uint64_t tile) {
  double x = 0, y = 0, w = 0;
  for (std::uint32_t i = 0; i < tile_rows; ++i) {
    const std::uint64_t row = tile * tile_rows + i;
    const bool exists = row < coding.parameters.rows.count;
    Coded coded;
    if (exists) coded = coding.code(row);
    coding.write(coded, tile * coding.parameters.words * tile_rows + i, tile_rows);
    float bias = -std::numeric_limits<float>::infinity();
    float norm = coded.unbounded ? std::numeric_limits<float>::infinity() : 0.0f;
    if (exists && coded.screened) {
      bias = coding.metric == Metric::l2sq ? static_cast<float>(-0.5 * coded.squared_norm) : 0.0f;
      x = std::max(x, coded.lost + code_rounding * coded.coded);
      y = std::max(y, coding.products ? coded.whole : 1.0);
      w = std::max(w, (code_rounding + 0x1p-20) * -double{bias});
      norm = coding.rounded_up(coded.unshifted);
    }
    at<float>(coding.parameters.biases)[row] = bias;
    coding.largest_norm() = std::max(coding.largest_norm(), norm);
  }
  at<TileBounds>(coding.parameters.bounds)[tile] = {coding.rounded_up(x), coding.rounded_up(y), 0,
                                                    coding.rounded_up(w)};
}

}  // namespace

PROXEL_PASS(screen_codes)(const Pass& pass) {
  const Coding coding(pass);
  for (std::uint64_t i = 0; i < pass.grid.x; ++i) {
    const std::uint64_t tile = coding.parameters.first_tile + i;
    if (!coding.queries) {
      code_rows(coding, tile);
      continue;
    }
    const std::uint64_t behind = std::min<std::uint64_t>((tile + 1) * tile_rows, coding.parameters.rows.count);
    for (std::uint64_t query = tile * tile_rows; query < behind; ++query) code_query(coding, query);
  }
}

}  // namespace proxel
