#include <algorithm>

#include "passes/bvh_boxes.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/bvh_leaves.h"
#include "proxel/passes/bvh_nodes.h"

namespace proxel {

Pass passes::make_bvh_nodes(const BvhNodesParameters& parameters) {
  const std::uint64_t lines = divide_up(parameters.child_count, bvh_width) * 2 * parameters.dimensions;
  return make_pass(bvh_nodes, parameters, {}, {strided_groups(divide_up(lines, common_workgroup)), 1, 1},
                   common_workgroup);
}

PROXEL_PASS(bvh_nodes)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<BvhNodesParameters>();
  auto* children = at<float>(parameters.children);
  for (std::uint64_t group = 0; group * bvh_width < parameters.child_count; ++group)
    for (std::uint32_t line = 0; line < 2 * parameters.dimensions; ++line) {
      const std::uint64_t first = group * bvh_width;
      const std::uint64_t count = std::min<std::uint64_t>(bvh_width, parameters.child_count - first);
      const float* bounds = bvh_bound(children, first, parameters.dimensions, line);
      *bvh_bound(at<float>(parameters.boxes), group, parameters.dimensions, line) =
          line % 2 == 0 ? *std::min_element(bounds, bounds + count) : *std::max_element(bounds, bounds + count);
    }
}

}  // namespace proxel
