#include <algorithm>

#include "passes/grids.hpp"
#include "passes/radix_keys.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/radix_count.h"
#include "proxel/passes/selection.hpp"

namespace proxel {

Pass passes::make_radix_count(const RadixCountParameters& parameters, bool largest_first,
                              std::uint32_t workgroup_size) {
  const std::uint64_t tiles = divide_up(parameters.source.count, radix_tile(workgroup_size));
  return make_pass(radix_count, parameters, {.largest_first = largest_first}, tile_grid(tiles, parameters.rows.rows),
                   workgroup_size, radix_shared_bytes(1));
}

PROXEL_PASS(radix_count)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<RadixCountParameters>();
  const std::uint32_t tile = radix_tile(pass.workgroup_size);
  const std::uint64_t tiles = divide_up(parameters.source.count, tile);
  for (std::uint64_t row = 0; row < pass.grid.y; ++row) {
    const RadixKeys keys(parameters.rows, parameters.source, row,
                         pass.constants_as<RadixCountConstants>().largest_first != 0);
    auto* counts = at<std::uint32_t>(parameters.counts) + row * parameters.digits * tiles;
    std::fill(counts, counts + parameters.digits * tiles, 0u);
    for (std::uint32_t i = 0; i < parameters.source.count; ++i) {
      const std::uint32_t digit = keys.digit(keys.key(i));
      if (digit != not_counted) ++counts[digit * tiles + i / tile];
    }
  }
}

}  // namespace proxel
