#include "proxel/passes/screen_codes.h"

#include <algorithm>
#include <limits>

#include "passes/coding.hpp"
#include "passes/reference.hpp"
#include "passes/screen_operand.hpp"

namespace proxel {

Pass passes::make_screen_codes(ScreenCodesParameters parameters, Metric metric, bool queries, std::uint32_t tiles) {
  // The largest bounds of a tile, and of a norm.
  constexpr std::uint32_t shared_bytes = 4 * 4 + query_team_bytes;
  parameters.words = static_cast<std::uint32_t>(divide_up(parameters.dimensions, 4));
  return make_pass(screen_codes, parameters, {.queries = queries ? 1u : 0u, .metric = accumulated(metric)},
                   {tiles, queries ? screen_query_workgroups : 1u, 1}, common_workgroup, shared_bytes);
}

namespace passes {

void code_query(const Coding& coding, std::uint64_t query) {
  const Coded coded = coding.code(query);
  coding.write(coded, query * coding.parameters.words, 1);
  at<QueryBounds>(coding.parameters.bounds)[query] = coding.query_bounds(coded);
}

float code_rows(const Coding& coding, std::uint64_t tile) {
  double x = 0, y = 0, w = 0;
  float largest_norm = 0;
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
    largest_norm = std::max(largest_norm, norm);
  }
  at<TileBounds>(coding.parameters.bounds)[tile] = {coding.rounded_up(x), coding.rounded_up(y), 0,
                                                    coding.rounded_up(w)};
  return largest_norm;
}

}  // namespace passes

PROXEL_THREADED_PASS(screen_codes)(const Pass& pass) {
  const passes::Coding coding(pass);
  passes::zero_words(coding.parameters);
  for (std::uint64_t i = 0; i < pass.grid.x; ++i) {
    const std::uint64_t tile = coding.parameters.first_tile + i;
    if (!coding.queries) {
      coding.largest_norm() = std::max(coding.largest_norm(), passes::code_rows(coding, tile));
      continue;
    }
    const std::uint64_t behind = std::min<std::uint64_t>((tile + 1) * passes::tile_rows, coding.parameters.rows.count);
    for (std::uint64_t query = tile * passes::tile_rows; query < behind; ++query) passes::code_query(coding, query);
  }
}

}  // namespace proxel
