#include "proxel/passes/screen_integers.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "passes/screen_bounds.hpp"
#include "passes/screen_operand.hpp"

namespace proxel {

Pass passes::make_screen_integers(ScreenIntegersParameters parameters, Metric metric, bool queries,
                                  std::uint32_t tiles) {
  parameters.depth_blocks = integer_blocks(parameters.dimensions);
  return make_pass(screen_integers, parameters, {.queries = queries ? 1u : 0u, .metric = accumulated(metric)},
                   {tiles, queries ? screen_query_workgroups : 1u, 1}, common_workgroup, query_team_bytes);
}

namespace {

using namespace passes;

class IntegerPacking {
 public:
  explicit IntegerPacking(const Pass& pass)
      : parameters_(pass.as<ScreenIntegersParameters>()),
        queries_(pass.constants_as<ScreenIntegersConstants>().queries != 0),
        inner_product_(pass.constants_as<ScreenIntegersConstants>().metric == Metric::ip) {}

  void pack(std::uint64_t tile) const {
    for (std::uint32_t i = 0; i < tile_rows; ++i) {
      const std::uint64_t row = tile * tile_rows + i;
      const bool exists = row < parameters_.rows.count;
      const std::vector<std::int32_t> x = exists ? integers(row) : std::vector<std::int32_t>();
      write(tile, i, x);
      if (!queries_)
        at<std::int32_t>(parameters_.biases)[row] = bias(x);
      else if (exists)
        at<QueryBounds>(parameters_.bounds)[row] = query_bounds(x);
      if (!queries_ && exists && x.empty()) ++at<std::uint32_t>(parameters_.others)[0];
    }
    if (!queries_)
      at<TileBounds>(parameters_.bounds)[tile] = {0, 0, 0, integer_score_error(parameters_.dimensions, inner_product_)};
  }

 private:
  // Less the origin; none where one is not an integer of the range. That is asked of the value itself: a difference may round
  // to an integer.
  std::vector<std::int32_t> integers(std::uint64_t row) const {
    std::vector<std::int32_t> x;
    for (std::uint32_t i = 0; i < parameters_.dimensions; ++i) {
      const float value = *value_address(parameters_.rows, row, i);
      const float origin = static_cast<float>(parameters_.origin);
      if (!(value >= origin - 128 && value <= origin + 127) || std::trunc(value) != value) return {};
      x.push_back(static_cast<std::int32_t>(value - origin));
    }
    return x;
  }

  void write(std::uint64_t tile, std::uint32_t row, const std::vector<std::int32_t>& x) const {
    auto* operand = at<std::int8_t>(parameters_.packed);
    for (std::uint32_t i = 0; i < parameters_.depth_blocks * screen_block_integers; ++i)
      operand[operand_integer(tile, row, i, parameters_.depth_blocks)] =
          i < x.size() ? static_cast<std::int8_t>(x[i]) : std::int8_t{0};
  }

  std::int32_t bias(const std::vector<std::int32_t>& x) const {
    if (x.empty()) return static_cast<std::int32_t>(screen_integer_nothing);
    std::int32_t sum = 0, squares = 0;
    for (const std::int32_t value : x) {
      sum += value;
      squares += value * value;
    }
    return inner_product_ ? static_cast<std::int32_t>(parameters_.origin) * sum : -((squares + 1) / 2);
  }

  QueryBounds query_bounds(const std::vector<std::int32_t>& x) const {
    QueryBounds bounds{};
    if (x.empty()) return bounds;
    bounds.certifiable = 1;
    double squares = 0;
    for (const std::int32_t value : x) {
      const double counted = inner_product_ ? value + static_cast<double>(parameters_.origin) : value;
      squares += counted * counted;
    }
    const std::uint32_t d = parameters_.dimensions;
    const double gamma = integer_rounding(d), up = norm_rounding(d);
    if (inner_product_) {
      bounds.fixed_slack =
          static_cast<float>(2.02 * gamma * std::sqrt(squares) * 255 * std::sqrt(static_cast<double>(d)) * up);
    } else {
      bounds.half_norm = static_cast<float>(0.5 * squares * up);
      bounds.relative_slack = static_cast<float>(2.1 * gamma * up);
    }
    return bounds;
  }

  const ScreenIntegersParameters parameters_;
  const bool queries_;
  const bool inner_product_;
};

}  // namespace

PROXEL_PASS(screen_integers)(const Pass& pass) {
  const IntegerPacking packing(pass);
  const auto parameters = pass.as<passes::ScreenIntegersParameters>();
  passes::zero_words(parameters);
  for (std::uint64_t i = 0; i < pass.grid.x; ++i) packing.pack(parameters.first_tile + i);
}

}  // namespace proxel
