#include <cstdint>

#include <fmt/format.h>

#include "passes/grids.hpp"
#include "passes/half.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "passes/screen_operand.hpp"
#include "passes/screen_scores.hpp"
#include "proxel/error.hpp"
#include "proxel/passes/screen_half_sum_tiles_matrix.h"
#include "proxel/passes/screen_half_sum_tiles_wide.h"
#include "proxel/passes/screen_integer_tiles_deep_matrix.h"
#include "proxel/passes/screen_integer_tiles_few_deep_matrix.h"
#include "proxel/passes/screen_integer_tiles_few_matrix.h"
#include "proxel/passes/screen_integer_tiles_matrix.h"
#include "proxel/passes/screen_integer_tiles_wide.h"
#include "proxel/passes/screen_pack.h"
#include "proxel/passes/screen_tiles_deep_matrix.h"
#include "proxel/passes/screen_tiles_few_deep_matrix.h"
#include "proxel/passes/screen_tiles_few_matrix.h"
#include "proxel/passes/screen_tiles_matrix.h"
#include "proxel/passes/screen_tiles_wide.h"

namespace proxel {

namespace {

using namespace passes;

// The kernels of an arithmetic: scalar, and those of matrix units.
struct Kinds {
  const ScreenTilesKind &scalar, &few, &few_deep, &matrix, &matrix_deep, &wide;
};

const Kinds& kinds_of(ScreenValues values) {
  static constexpr Kinds halves{screen_tiles,        screen_tiles_few_matrix,  screen_tiles_few_deep_matrix,
                                screen_tiles_matrix, screen_tiles_deep_matrix, screen_tiles_wide};
  static constexpr Kinds integers{
      screen_integer_tiles,        screen_integer_tiles_few_matrix,  screen_integer_tiles_few_deep_matrix,
      screen_integer_tiles_matrix, screen_integer_tiles_deep_matrix, screen_integer_tiles_wide};
  return values == ScreenValues::halves ? halves : integers;
}

// A kernel and what it is launched with.
struct Kernel {
  const ScreenTilesKind& kind;
  std::uint32_t steps = 0;
  std::uint32_t workgroup = common_workgroup;
};

// A pipeline for each of a few depths: operands have zeros up to whole blocks of four steps.
std::uint32_t shallow_steps(std::uint32_t depth_steps) {
  for (const std::uint32_t steps : {1u, 2u, 4u, 6u, 8u, 12u})
    if (depth_steps <= steps) return steps;
  return screen_most_shallow_steps;
}

Kernel kernel_of(const Kinds& kinds, ScreenArithmetic arithmetic, std::uint32_t workgroup_queries,
                 std::uint32_t depth_steps) {
  if (arithmetic == ScreenArithmetic::scalar) return {kinds.scalar};
  if (arithmetic == ScreenArithmetic::half_sums)
    return workgroup_queries > tile_rows ? Kernel{screen_half_sum_tiles_wide}
                                         : Kernel{screen_half_sum_tiles_matrix, shallow_steps(depth_steps)};
  if (workgroup_queries > tile_rows) return {kinds.wide};
  const bool few = workgroup_queries < tile_rows;
  if (depth_steps > screen_most_shallow_steps) return {few ? kinds.few_deep : kinds.matrix_deep};
  // Of few queries two subgroups have 16 each.
  return {few ? kinds.few : kinds.matrix, shallow_steps(depth_steps),
          few ? screen_few_shallow_workgroup : common_workgroup};
}

}  // namespace

Pass passes::make_screen_tiles(const ScreenTilesParameters& parameters, ScreenValues values,
                               ScreenArithmetic arithmetic, ScreenPurpose purpose, std::uint32_t groups_per_tile,
                               std::uint32_t workgroup_queries) {
  const bool matrix = arithmetic != ScreenArithmetic::scalar;
  if (arithmetic == ScreenArithmetic::half_sums &&
      (values != ScreenValues::halves || parameters.depth_steps > screen_most_half_sum_steps ||
       4 * parameters.depth_blocks > screen_most_half_sum_steps || workgroup_queries < tile_rows))
    throw Error(
        ErrorCode::invalid_argument, "arithmetic",
        fmt::format("sums in half precision were asked for; they are of halves of up to {} steps and {} queries "
                    "by a workgroup or more",
                    screen_most_half_sum_steps, tile_rows));
  if (workgroup_queries < tile_rows && parameters.query_count > workgroup_queries)
    throw Error(ErrorCode::invalid_argument, "workgroup_queries",
                fmt::format("{} were given; a workgroup of fewer than {} has all of the {} queries", workgroup_queries,
                            tile_rows, parameters.query_count));
  const std::uint32_t query_tiles = static_cast<std::uint32_t>(divide_up(parameters.query_count, workgroup_queries));
  const Kernel kernel = kernel_of(kinds_of(values), arithmetic, workgroup_queries, parameters.depth_steps);
  return make_pass(kernel.kind, parameters,
                   {.collects = static_cast<std::uint32_t>(purpose),
                    .groups_per_tile = groups_per_tile,
                    .filtered = parameters.filter_bits != 0,
                    .steps = kernel.steps},
                   {parameters.splits, query_tiles, 1}, kernel.workgroup, matrix ? 24 * 1024 : 16 * 1024);
}

namespace {

struct HalfProducts {
  const ScreenTilesParameters parameters;
  explicit HalfProducts(const Pass& pass) : parameters(pass.as<ScreenTilesParameters>()) {}

  float operator()(std::uint64_t query, std::uint64_t row) const {
    const auto* rows = at<const std::uint16_t>(parameters.rows);
    const auto* queries = at<const std::uint16_t>(parameters.queries);
    double sum = at<float>(parameters.biases)[row];
    // Eight halves of a row stand together.
    for (std::uint32_t depth = 0; depth < 16 * parameters.depth_steps; depth += 8) {
      const std::uint16_t *const a = queries + half(query, depth), *const b = rows + half(row, depth);
      for (std::uint32_t i = 0; i < 8; ++i) sum += double{from_half(a[i])} * from_half(b[i]);
    }
    return static_cast<float>(sum);
  }

 private:
  std::uint64_t half(std::uint64_t row, std::uint32_t depth) const {
    return operand_half(row / tile_rows, static_cast<std::uint32_t>(row % tile_rows), depth, parameters.depth_blocks);
  }
};

}  // namespace

// These need matrix units, which the host has not.
constinit const ScreenTilesKind passes::screen_half_sum_tiles_matrix("screen_half_sum_tiles_matrix");
constinit const ScreenTilesKind passes::screen_half_sum_tiles_wide("screen_half_sum_tiles_wide");
constinit const ScreenTilesKind passes::screen_tiles_deep_matrix("screen_tiles_deep_matrix");
constinit const ScreenTilesKind passes::screen_tiles_few_deep_matrix("screen_tiles_few_deep_matrix");
constinit const ScreenTilesKind passes::screen_tiles_few_matrix("screen_tiles_few_matrix");
constinit const ScreenTilesKind passes::screen_tiles_matrix("screen_tiles_matrix");
constinit const ScreenTilesKind passes::screen_tiles_wide("screen_tiles_wide");

PROXEL_PASS(screen_tiles)(const Pass& pass) { passes::ScoredTiles<HalfProducts>(pass).run(); }

}  // namespace proxel
