#include <cstdint>

#include <fmt/format.h>

#include "passes/grids.hpp"
#include "passes/half.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "passes/screen_operand.hpp"
#include "passes/screen_scores.hpp"
#include "proxel/error.hpp"
#include "proxel/passes/screen_integer_tiles_few_matrix.h"
#include "proxel/passes/screen_integer_tiles_matrix.h"
#include "proxel/passes/screen_integer_tiles_wide.h"
#include "proxel/passes/screen_tiles_few_matrix.h"
#include "proxel/passes/screen_tiles_matrix.h"
#include "proxel/passes/screen_tiles_wide.h"

namespace proxel {

namespace {

using namespace passes;

// The kernels of an arithmetic: scalar, and those of matrix units.
struct Kinds {
  const ScreenTilesKind &scalar, &few, &matrix, &wide;

  const ScreenTilesKind& on_matrix_units(std::uint32_t workgroup_queries) const {
    return workgroup_queries < tile_rows ? few : workgroup_queries == tile_rows ? matrix : wide;
  }
};

const Kinds& kinds_of(ScreenValues values) {
  static constexpr Kinds halves{screen_tiles, screen_tiles_few_matrix, screen_tiles_matrix, screen_tiles_wide};
  static constexpr Kinds integers{screen_integer_tiles, screen_integer_tiles_few_matrix, screen_integer_tiles_matrix,
                                  screen_integer_tiles_wide};
  return values == ScreenValues::halves ? halves : integers;
}

}  // namespace

Pass passes::make_screen_tiles(const ScreenTilesParameters& parameters, ScreenValues values,
                               ScreenArithmetic arithmetic, ScreenPurpose purpose, std::uint32_t groups_per_tile,
                               std::uint32_t workgroup_queries) {
  const bool matrix = arithmetic == ScreenArithmetic::matrix;
  if (workgroup_queries < tile_rows && parameters.query_count > workgroup_queries)
    throw Error(ErrorCode::invalid_argument, "workgroup_queries",
                fmt::format("{} were given; a workgroup of fewer than {} has all of the {} queries", workgroup_queries,
                            tile_rows, parameters.query_count));
  const std::uint32_t query_tiles = static_cast<std::uint32_t>(divide_up(parameters.query_count, workgroup_queries));
  const Kinds& kinds = kinds_of(values);
  return make_pass(matrix ? kinds.on_matrix_units(workgroup_queries) : kinds.scalar, parameters,
                   {.collects = static_cast<std::uint32_t>(purpose),
                    .groups_per_tile = groups_per_tile,
                    .filtered = parameters.filter_bits != 0},
                   {parameters.splits, query_tiles, 1}, common_workgroup, matrix ? 48 * 1024 : 16 * 1024);
}

namespace {

struct HalfProducts {
  const ScreenTilesParameters& parameters;

  float operator()(std::uint64_t query, std::uint64_t row) const {
    const auto* rows = at<const std::uint16_t>(parameters.rows);
    const auto* queries = at<const std::uint16_t>(parameters.queries);
    double sum = at<float>(parameters.biases)[row];
    for (std::uint32_t i = 0; i < 16 * parameters.depth_steps; ++i)
      sum += double{from_half(queries[half(query, i)])} * from_half(rows[half(row, i)]);
    return static_cast<float>(sum);
  }

 private:
  std::uint64_t half(std::uint64_t row, std::uint32_t depth) const {
    return operand_half(row / tile_rows, static_cast<std::uint32_t>(row % tile_rows), depth, parameters.depth_blocks);
  }
};

}  // namespace

// These need matrix units, which the host has not.
constinit const ScreenTilesKind passes::screen_tiles_few_matrix("screen_tiles_few_matrix");
constinit const ScreenTilesKind passes::screen_tiles_matrix("screen_tiles_matrix");
constinit const ScreenTilesKind passes::screen_tiles_wide("screen_tiles_wide");

PROXEL_PASS(screen_tiles)(const Pass& pass) { passes::ScoredTiles<HalfProducts>(pass).run(); }

}  // namespace proxel
