#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/component_begin.h"

namespace proxel {

Pass passes::make_component_begin(const ComponentBeginParameters& parameters) {
  return make_pass(component_begin, parameters, {},
                   {strided_groups(divide_up(parameters.rows, common_workgroup)), 1, 1}, common_workgroup);
}

PROXEL_PASS(component_begin)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<ComponentBeginParameters>();
  for (std::uint32_t row = 0; row < parameters.rows; ++row) at<std::uint32_t>(parameters.components)[row] = row;
  *at<std::uint32_t>(parameters.count) = 0;
}

}  // namespace proxel
