#include <cstdint>
#include <limits>

#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "passes/screen_operand.hpp"
#include "passes/screen_scores.hpp"
#include "proxel/passes/screen_integer_tiles_deep_matrix.h"
#include "proxel/passes/screen_integer_tiles_few_deep_matrix.h"
#include "proxel/passes/screen_integer_tiles_few_matrix.h"
#include "proxel/passes/screen_integer_tiles_matrix.h"
#include "proxel/passes/screen_integer_tiles_wide.h"

namespace proxel {

namespace {

using namespace passes;

struct IntegerProducts {
  const ScreenTilesParameters parameters;
  explicit IntegerProducts(const Pass& pass) : parameters(pass.as<ScreenTilesParameters>()) {}

  float operator()(std::uint64_t query, std::uint64_t row) const {
    const auto* rows = at<const std::int8_t>(parameters.rows);
    const auto* queries = at<const std::int8_t>(parameters.queries);
    std::int32_t sum = at<const std::int32_t>(parameters.biases)[row];
    // Sixteen integers of a row stand together.
    for (std::uint32_t depth = 0; depth < 32 * parameters.depth_steps; depth += 16) {
      const std::int8_t *const a = queries + value(query, depth), *const b = rows + value(row, depth);
      for (std::uint32_t i = 0; i < 16; ++i) sum += std::int32_t{a[i]} * b[i];
    }
    return sum <= static_cast<std::int32_t>(screen_integer_nothing) / 2 ? -std::numeric_limits<float>::infinity()
                                                                        : static_cast<float>(sum);
  }

 private:
  std::uint64_t value(std::uint64_t row, std::uint32_t depth) const {
    return operand_integer(row / tile_rows, static_cast<std::uint32_t>(row % tile_rows), depth,
                           parameters.depth_blocks);
  }
};

}  // namespace

constinit const ScreenTilesKind passes::screen_integer_tiles_deep_matrix("screen_integer_tiles_deep_matrix");
constinit const ScreenTilesKind passes::screen_integer_tiles_few_deep_matrix("screen_integer_tiles_few_deep_matrix");
constinit const ScreenTilesKind passes::screen_integer_tiles_few_matrix("screen_integer_tiles_few_matrix");
constinit const ScreenTilesKind passes::screen_integer_tiles_matrix("screen_integer_tiles_matrix");
constinit const ScreenTilesKind passes::screen_integer_tiles_wide("screen_integer_tiles_wide");

PROXEL_PASS(screen_integer_tiles)(const Pass& pass) { passes::ScoredTiles<IntegerProducts>(pass).run(); }

}  // namespace proxel
