#include <algorithm>

#include "passes/component_trees.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/component_link.h"

namespace proxel {

Pass passes::make_component_link(const ComponentLinkParameters& parameters) {
  return make_pass(component_link, parameters, {}, {strided_groups(divide_up(parameters.rows, common_workgroup)), 1, 1},
                   common_workgroup);
}

PROXEL_PASS(component_link)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<ComponentLinkParameters>();
  const std::uint64_t k = parameters.neighbors;
  const auto* indices = at<const std::uint32_t>(parameters.indices);
  const auto* distances = at<const float>(parameters.distances);
  auto* components = at<std::uint32_t>(parameters.components);
  const auto within = [&](float distance) {
    return parameters.largest_first != 0 ? distance >= parameters.limit : distance <= parameters.limit;
  };
  const auto has = [&](std::uint32_t row, std::uint32_t other) {
    return std::find(indices + row * k, indices + (row + 1) * k, other) != indices + (row + 1) * k;
  };
  for (std::uint32_t row = 0; row < parameters.rows; ++row)
    for (std::uint64_t slot = row * k; slot < (row + 1) * k; ++slot) {
      const std::uint32_t other = indices[slot];
      if (other >= parameters.rows || (distances && !within(distances[slot]))) continue;
      if (parameters.mutual != 0 && !has(other, row)) continue;
      const std::uint32_t one = component_root(components, row), two = component_root(components, other);
      components[std::max(one, two)] = std::min(one, two);
    }
}

}  // namespace proxel
