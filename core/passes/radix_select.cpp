#include "passes/grids.hpp"
#include "passes/radix_keys.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/radix_select.h"
#include "proxel/passes/selection.hpp"

namespace proxel {

Pass passes::make_radix_select(const RadixSelectParameters& parameters, bool largest_first,
                               std::uint32_t workgroup_size) {
  const std::uint64_t tiles = divide_up(parameters.rows.columns, radix_tile(workgroup_size));
  return make_pass(radix_select, parameters, {.largest_first = largest_first},
                   {strided_groups(tiles), parameters.rows.rows, 1}, workgroup_size, radix_shared_bytes(1));
}

PROXEL_PASS(radix_select)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<RadixSelectParameters>();
  const bool largest_first = pass.constants_as<RadixSelectConstants>().largest_first != 0;
  for (std::uint64_t row = 0; row < parameters.rows.rows; ++row) {
    auto* histograms = at<std::uint32_t>(parameters.histograms) + row * radix_rounds * radix_digits;
    const std::uint32_t shift = 24 - 8 * parameters.round;
    const std::uint32_t prefix = RadixPrefix(histograms, parameters.round, parameters.k).bits;
    const float* values = row_values(parameters.rows, row);
    for (std::uint32_t column = 0; column < parameters.rows.columns; ++column) {
      const std::uint64_t key = distance_key(values[column], largest_first);
      if (key >> shift >> 8 == prefix)
        ++histograms[parameters.round * radix_digits + (key >> shift & (radix_digits - 1))];
    }
  }
}

}  // namespace proxel
