#include <fmt/format.h>

#include "proxel/passes/normalize_rows.h"
#include "proxel/search.hpp"
#include "search/check.hpp"

namespace proxel {

using passes::Rows;
using passes::tile_rows;

Rows tiled_rows(std::uint64_t address, std::uint64_t rows, std::uint32_t dimensions) {
  return {address, tile_rows * dimensions, tile_rows, 1, static_cast<std::uint32_t>(rows)};
}

Rows row_major_rows(std::uint64_t address, std::uint64_t rows, std::uint32_t row_stride) {
  return {address, tile_rows * row_stride, 1, row_stride, static_cast<std::uint32_t>(rows)};
}

Rows column_major_rows(std::uint64_t address, std::uint64_t rows, std::uint32_t column_stride) {
  return {address, tile_rows, column_stride, 1, static_cast<std::uint32_t>(rows)};
}

void record_normalize(Recording& recording, Metric metric, const Rows& from, const Rows& to, std::uint32_t dimensions) {
  if (!normalizes(metric))
    throw Error(ErrorCode::invalid_argument, "metric",
                fmt::format("{} was given, cosine and pearson normalise", to_string(metric)));
  search::require_range("dimensions", dimensions, 1, search::most_dimensions);
  search::require_range("rows count", to.count, from.count, from.count);
  for (const Rows* rows : {&from, &to}) {
    if (rows->address == 0) throw Error(ErrorCode::invalid_argument, "rows address", "is null");
    search::check_layout(*rows, dimensions);
  }
  recording.record(passes::make_normalize_rows(from, to, dimensions, metric == Metric::pearson));
}

}  // namespace proxel
