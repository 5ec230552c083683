#include "passes/filter.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/screen_mask.h"

namespace proxel {

Pass passes::make_screen_mask(const ScreenMaskParameters& parameters, std::uint32_t filters) {
  return make_pass(screen_mask, parameters, {},
                   {strided_groups(divide_up(parameters.row_count, tile_rows)), filters, 1}, common_workgroup);
}

PROXEL_PASS(screen_mask)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<ScreenMaskParameters>();
  const std::uint64_t places = std::uint64_t{divide_up(parameters.row_count, tile_rows)} * tile_rows;
  const auto words = static_cast<std::uint32_t>(divide_up(parameters.row_count, 32u));
  for (std::uint64_t number = 0; number < pass.grid.y; ++number) {
    const Filter filter(parameters.filter_bits, number, words);
    for (std::uint64_t row = 0; row < places; ++row)
      at<std::uint32_t>(parameters.masked)[number * places + row] =
          row < parameters.row_count && filter.allows(row) ? at<const std::uint32_t>(parameters.biases)[row]
                                                           : parameters.nothing;
  }
}

}  // namespace proxel
