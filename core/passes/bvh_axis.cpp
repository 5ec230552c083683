#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/bvh_axis.h"

namespace proxel {

Pass passes::make_bvh_axis(const BvhAxisParameters& parameters) {
  return make_pass(bvh_axis, parameters, {}, {strided_groups(divide_up(parameters.rows.count, common_workgroup)), 1, 1},
                   common_workgroup);
}

PROXEL_PASS(bvh_axis)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<BvhAxisParameters>();
  for (std::uint32_t row = 0; row < parameters.rows.count; ++row)
    at<std::uint32_t>(parameters.values)[row] =
        *reinterpret_cast<const std::uint32_t*>(value_address(parameters.rows, row, parameters.dimension));
}

}  // namespace proxel
