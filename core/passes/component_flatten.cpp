#include "passes/component_trees.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/component_flatten.h"

namespace proxel {

Pass passes::make_component_flatten(const ComponentFlattenParameters& parameters) {
  return make_pass(component_flatten, parameters, {},
                   {strided_groups(divide_up(parameters.rows, common_workgroup)), 1, 1}, common_workgroup);
}

PROXEL_PASS(component_flatten)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<ComponentFlattenParameters>();
  auto* components = at<std::uint32_t>(parameters.components);
  for (std::uint32_t row = 0; row < parameters.rows; ++row) {
    components[row] = component_root(components, row);
    *at<std::uint32_t>(parameters.count) += components[row] == row;
  }
}

}  // namespace proxel
