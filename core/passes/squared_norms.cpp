#include <algorithm>
#include <bit>
#include <cmath>

#include "passes/canonical.hpp"
#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/squared_norms.h"

namespace proxel {

Pass passes::make_squared_norms(const SquaredNormsParameters& parameters) {
  return make_pass(squared_norms, parameters, {},
                   {strided_groups(divide_up(parameters.row_count, common_workgroup)), 1, 1}, common_workgroup, 4);
}

PROXEL_PASS(squared_norms)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<SquaredNormsParameters>();
  for (std::uint64_t row = 0; row < parameters.row_count; ++row) {
    float norm = 0;
    for (std::uint32_t i = 0; i < parameters.dimensions; ++i) {
      const float value = *value_address(parameters.rows, parameters.first_row + row, i);
      norm = canonical_step(Metric::ip, norm, value, value);
    }
    if (std::isnan(norm)) norm = std::bit_cast<float>(0x7FC00000u);
    at<float>(parameters.norms)[row] = norm;
    if (parameters.largest == 0 || std::isnan(norm)) continue;
    auto* largest = at<std::uint32_t>(parameters.largest);
    *largest = std::max(*largest, std::bit_cast<std::uint32_t>(norm));
  }
}

}  // namespace proxel
