#include "passes/grids.hpp"
#include "passes/radix_keys.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/radix_scatter.h"
#include "proxel/passes/selection.hpp"

namespace proxel {

Pass passes::make_radix_scatter(const RadixScatterParameters& parameters, bool largest_first,
                                std::uint32_t workgroup_size, std::uint32_t subgroups) {
  const std::uint64_t tiles = divide_up(parameters.source.count, radix_tile(workgroup_size));
  return make_pass(radix_scatter, parameters, {.largest_first = largest_first, .subgroups = subgroups},
                   tile_grid(tiles, parameters.rows.rows), workgroup_size, radix_shared_bytes(subgroups));
}

PROXEL_PASS(radix_scatter)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<RadixScatterParameters>();
  const bool largest_first = pass.constants_as<RadixScatterConstants>().largest_first != 0;
  const std::uint32_t tile = radix_tile(pass.workgroup_size);
  const std::uint64_t tiles = divide_up(parameters.source.count, tile);
  std::vector<std::uint64_t> keys_of_row;
  for (std::uint64_t row = 0; row < pass.grid.y; ++row) {
    const RadixKeys keys(parameters.rows, parameters.source, row, largest_first);
    const auto* counts = at<const std::uint32_t>(parameters.counts) + row * parameters.digits * tiles;
    const auto* totals = at<const std::uint32_t>(parameters.totals) + row * parameters.digits;
    std::vector<std::uint64_t> before(parameters.digits, 0);
    for (std::uint32_t digit = 1; digit < parameters.digits; ++digit)
      before[digit] = before[digit - 1] + totals[digit - 1];
    keys_of_row.assign(parameters.source.k, no_row_key);
    std::vector<std::uint64_t> next;
    for (std::uint32_t i = 0; i < parameters.source.count; ++i) {
      if (i % tile == 0) {
        next = before;
        for (std::uint32_t digit = 0; digit < parameters.digits; ++digit)
          next[digit] += counts[std::uint64_t{digit} * tiles + i / tile];
      }
      const std::uint64_t key = keys.key(i);
      const std::uint32_t digit = keys.digit(key);
      if (digit == not_counted) continue;
      const std::uint64_t place = next[digit]++;
      if (parameters.target) {
        if (place < parameters.target_stride)
          at<std::uint64_t>(parameters.target)[row * parameters.target_stride + place] = key;
      } else if (place < parameters.source.k) {
        keys_of_row[place] = key;
      }
    }
    keys_of_row.resize(parameters.result.k, no_row_key);
    if (!parameters.target) write_selected(parameters.result, parameters.rows, row, largest_first, keys_of_row.data());
  }
}

}  // namespace proxel
