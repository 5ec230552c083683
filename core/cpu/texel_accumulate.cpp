#include "proxel/passes/texel_accumulate.h"

#include <algorithm>

#include "cpu/machine.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"

namespace proxel::cpu {

// The four rows of a texel, and the texels of a line, lie side by side: a line
// is a run of rows, and so is a whole layer where no line is longer than used.
void texel_accumulate(const Pass& pass, Machine& machine) {
  const auto parameters = pass.as<passes::TexelAccumulateParameters>();
  const auto constants = pass.constants_as<passes::TexelAccumulateConstants>();
  const Texture& coordinates = *pass.textures[0];
  const Texture& sums = *pass.textures[1];
  const bool seamless = coordinates.width() == parameters.width && sums.width() == parameters.width;
  const std::uint64_t runs = seamless ? 1 : parameters.height;
  const std::uint64_t run_rows =
      4 * (seamless ? std::uint64_t{parameters.width} * parameters.height : parameters.width);
  // 16 dimensions of this many rows stay in the second-level cache.
  constexpr std::uint64_t item_rows = 4096;
  const std::uint64_t items_per_run = passes::divide_up(run_rows, item_rows);

  machine.workers.for_each(runs * items_per_run, [&](std::uint64_t item) {
    const auto line = static_cast<std::uint32_t>(item / items_per_run);
    const std::uint64_t first = item % items_per_run * item_rows;
    Accumulation accumulation;
    accumulation.metric = constants.metric;
    accumulation.rows = passes::texel_address<float>(coordinates, 0, line, parameters.first_layer) + first;
    accumulation.dimension_stride = std::size_t{coordinates.width()} * coordinates.height() * 4;
    accumulation.queries = passes::at<const float>(parameters.queries) + parameters.first_dimension;
    accumulation.query_stride = parameters.dimensions;
    accumulation.sums = passes::texel_address<float>(sums, 0, line, 0) + first;
    accumulation.sums_stride = std::size_t{sums.width()} * sums.height() * 4;
    accumulation.row_count = std::min(item_rows, run_rows - first);
    accumulation.query_count = pass.grid.z;
    accumulation.dimensions = constants.dimensions;
    accumulation.from_zero = parameters.first != 0;
    machine.kernels.accumulate(accumulation);
  });
}

}  // namespace proxel::cpu
