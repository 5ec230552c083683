#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "passes/grids.hpp"
#include "passes/half.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "passes/screen_bounds.hpp"
#include "passes/screen_operand.hpp"
#include "proxel/error.hpp"
#include "proxel/passes/screen_origin.h"
#include "proxel/passes/screen_pack.h"

namespace proxel {

Pass passes::make_screen_pack(const ScreenPackParameters& parameters, Metric metric, bool queries, bool split,
                              std::uint32_t tiles, std::uint32_t sums) {
  const std::uint32_t depth_steps = (parameters.dimensions + 15) / 16;
  if (sums != screen_sums_binary32 &&
      (!queries || split || accumulated(metric) != Metric::l2sq || depth_steps > screen_most_half_sum_steps))
    throw Error(ErrorCode::invalid_argument, "sums",
                fmt::format("in half precision were asked for; they are of plain queries of up to {} dimensions, by "
                            "l2sq or l2",
                            16 * screen_most_half_sum_steps));
  // 32 dimensions of a tile's halves; the largest bounds of a tile, and of a norm.
  constexpr std::uint32_t shared_bytes = tile_rows * 64 + 5 * 4 + query_team_bytes;
  return make_pass(
      screen_pack, parameters,
      {.queries = queries ? 1u : 0u, .split = split ? 1u : 0u, .metric = accumulated(metric), .sums = sums},
      {tiles, queries ? screen_query_workgroups : 1u, 1}, common_workgroup, shared_bytes);
}

namespace {

using namespace passes;

// A row or query in the frame: x = scale * (value - origin).
struct InFrame {
  std::vector<float> x;
  bool screened = true;    // every x is finite, and so is the squared norm
  bool unbounded = false;  // not screened, and not because of a NaN
  bool in_range = true;    // every |x| is at most the largest half
  double squared_norm = 0;
  double unshifted_norm = 0;  // the norm of scale * value
};

// A row or query as halves, and the norms that bound the error of a score.
struct Halves {
  std::vector<std::uint16_t> high, low;
  double norm = 0;  // the norm of |high| + |low|
  double low_norm = 0;
  double weighted_norm = 0;  // of plain halves, weighted by half_sum_weight()
  double residual_norm = 0;  // the norm of what high + low misses of the true value
};

class Packing {
 public:
  explicit Packing(const Pass& pass) : Packing(pass, pass.constants_as<ScreenPackConstants>()) {}
  Packing(const Pass& pass, const ScreenPackConstants& constants)
      : parameters(pass.as<ScreenPackParameters>()),
        queries(constants.queries != 0),
        split(constants.split != 0),
        sums(constants.sums),
        inner_product(constants.metric == Metric::ip),
        frame_(at<float>(parameters.frame)) {}

  const ScreenPackParameters parameters;
  const bool queries;
  const bool split;
  const std::uint32_t sums;
  const bool inner_product;

  double root(double sum) const { return std::sqrt(sum + norm_underflow(parameters.dimensions)); }
  float rounded_up(double norm) const { return static_cast<float>(norm * norm_rounding(parameters.dimensions)); }
  float& largest_norm() const { return frame_[1]; }

  InFrame in_frame(std::uint64_t row) const {
    // q'r' = c^2 (qr - qm): a query of an inner product is not shifted.
    const bool shifted = !(queries && inner_product);
    const float scale = frame_[0];
    const float* origin = frame_ + screen_frame_origin;
    InFrame result;
    double unshifted = 0;
    for (std::uint32_t i = 0; i < parameters.dimensions; ++i) {
      const float value = *value_address(parameters.rows, row, i);
      const float x = scale * (shifted ? value - origin[i] : value);
      result.x.push_back(x);
      result.in_range = result.in_range && std::fabs(x) <= largest_half;
      result.squared_norm += double{x} * x;
      unshifted += double{scale} * value * scale * value;
    }
    result.screened = result.squared_norm <= std::numeric_limits<float>::max();
    result.unbounded = !result.screened && !std::isnan(result.squared_norm);
    result.unshifted_norm = root(unshifted);
    if (!result.screened) std::fill(result.x.begin(), result.x.end(), 0.0f);
    return result;
  }

  Halves halves(const InFrame& row) const {
    Halves result;
    double norm = 0, low_norm = 0, residual_norm = 0, weighted_norm = 0;
    for (std::uint32_t i = 0; i < row.x.size(); ++i) {
      const float x = row.x[i];
      const std::uint16_t high = to_half(x);
      const std::uint16_t low = split ? to_half(x - from_half(high)) : std::uint16_t{0};
      const double high_value = from_half(high);
      const double low_value = from_half(low);
      const double both = std::fabs(high_value) + std::fabs(low_value);
      const double residual = x - high_value - low_value;
      norm += both * both;
      weighted_norm += half_sum_weight(parameters.dimensions, i) * both * both;
      low_norm += low_value * low_value;
      residual_norm += residual * residual;
      result.high.push_back(high);
      result.low.push_back(low);
    }
    result.norm = root(norm);
    result.low_norm = split ? root(low_norm) : 0;
    result.weighted_norm = root(weighted_norm);
    // x itself is the true value but for the rounding of a subtraction.
    result.residual_norm = root(residual_norm) + 0x1p-24 * root(row.squared_norm);
    return result;
  }

  void write_operand(const Halves& row, std::uint64_t tile, std::uint32_t in_tile) const {
    auto* operand = at<std::uint16_t>(parameters.packed);
    const auto put = [&](std::uint32_t depth, std::uint16_t half) {
      operand[operand_half(tile, in_tile, depth, parameters.depth_blocks)] = half;
    };
    for (std::uint32_t depth = 0; depth < parameters.depth_blocks * screen_block_depth; ++depth) put(depth, 0);
    const auto dimensions = static_cast<std::uint32_t>(row.high.size());
    for (std::uint32_t i = 0; i < dimensions; ++i) {
      put(i, row.high[i]);
      if (!split) continue;
      put(dimensions + i, queries ? row.high[i] : row.low[i]);
      put(2 * dimensions + i, queries ? row.low[i] : row.high[i]);
    }
  }

  QueryBounds query_bounds(const InFrame& query, const Halves& packed) const {
    QueryBounds bounds{};
    if (!query.screened) return bounds;
    bounds.a = rounded_up(packed.norm);
    bounds.b = rounded_up(packed.residual_norm);
    bounds.c = rounded_up(packed.low_norm);
    if (sums == screen_sums_halves) bounds.c = rounded_up(packed.weighted_norm);
    if (sums == screen_sums_first_halves) {
      // Of a row the second halves are missed, and sums of |products| are no more than the norms' product.
      bounds.c = bounds.a;
      const double steps = half_sum_weight(parameters.dimensions, 0);
      bounds.b = rounded_up(packed.residual_norm + 1.001 * half_sum_rounding * steps * packed.norm);
    }
    bounds.certifiable = query.in_range ? 1.0f : 0.0f;
    const double gamma = canonical_rounding(parameters.dimensions);
    const double scale_squared = double{frame_[0]} * frame_[0];
    // Never 0, so that it covers what underflows in the threshold's own formula.
    const double underflow = scale_squared * canonical_underflow(parameters.dimensions) + 0x1p-120;
    if (inner_product) {
      const double largest = root(query.squared_norm) * largest_norm();
      bounds.fixed_slack = rounded_up(1.001 * 2 * (gamma * largest + underflow));
      // A sum that may overflow on its way to a canonical value bounds nothing.
      if (!(largest < 0x1p126 * scale_squared)) bounds.certifiable = 0;
    } else {
      bounds.half_norm = rounded_up(0.5 * query.squared_norm);
      bounds.relative_slack = rounded_up(2.1 * gamma);
      bounds.fixed_slack = rounded_up(underflow);
    }
    return bounds;
  }

 private:
  float* frame_;
};

void pack_queries(const Packing& packing, std::uint64_t tile) {
  for (std::uint32_t i = 0; i < tile_rows; ++i) {
    const std::uint64_t query = tile * tile_rows + i;
    const bool exists = query < packing.parameters.rows.count;
    const InFrame in_frame = exists ? packing.in_frame(query) : InFrame{};
    const Halves halves = packing.halves(in_frame);
    packing.write_operand(halves, tile, i);
    if (exists) at<QueryBounds>(packing.parameters.bounds)[query] = packing.query_bounds(in_frame, halves);
  }
}

void pack_rows(const Packing& packing, std::uint64_t tile) {
  const double kappa = product_rounding(screen_depth(packing.parameters.dimensions, packing.split));
  double x = 0, y = 0, z = 0, w = 0;
  for (std::uint32_t i = 0; i < tile_rows; ++i) {
    const std::uint64_t row = tile * tile_rows + i;
    const bool exists = row < packing.parameters.rows.count;
    const InFrame in_frame = exists ? packing.in_frame(row) : InFrame{};
    const Halves halves = packing.halves(in_frame);
    packing.write_operand(halves, tile, i);
    float bias = -std::numeric_limits<float>::infinity();
    float norm = in_frame.unbounded ? std::numeric_limits<float>::infinity() : 0.0f;
    if (exists && in_frame.screened) {
      bias = packing.inner_product ? 0.0f : static_cast<float>(-0.5 * in_frame.squared_norm);
      x = std::max(x, halves.residual_norm + kappa * halves.norm);
      y = std::max(y, packing.root(in_frame.squared_norm));
      z = std::max(z, packing.split ? halves.low_norm : half_sum_rounding * halves.weighted_norm);
      // The second is for sums that are subnormal halves.
      w = std::max(w, (kappa + 0x1p-20) * -double{bias} + (packing.inner_product ? 0 : 0x1p-22));
      norm = packing.rounded_up(in_frame.unshifted_norm);
    }
    at<float>(packing.parameters.biases)[row] = bias;
    packing.largest_norm() = std::max(packing.largest_norm(), norm);
  }
  at<TileBounds>(packing.parameters.bounds)[tile] = {packing.rounded_up(x), packing.rounded_up(y),
                                                     packing.rounded_up(z), packing.rounded_up(w)};
}

}  // namespace

PROXEL_PASS(screen_pack)(const Pass& pass) {
  const Packing packing(pass);
  zero_words(packing.parameters);
  for (std::uint64_t i = 0; i < pass.grid.x; ++i) {
    const std::uint64_t tile = packing.parameters.first_tile + i;
    if (packing.queries)
      pack_queries(packing, tile);
    else
      pack_rows(packing, tile);
  }
}

}  // namespace proxel
