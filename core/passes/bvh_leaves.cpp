#include <bit>
#include <limits>

#include "passes/bvh_boxes.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/bvh_leaves.h"

namespace proxel {

Pass passes::make_bvh_leaves(const BvhLeavesParameters& parameters) {
  return make_pass(bvh_leaves, parameters, {},
                   {strided_groups(divide_up(parameters.rows.count, common_workgroup)), 1, 1}, common_workgroup);
}

PROXEL_PASS(bvh_leaves)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<BvhLeavesParameters>();
  const std::uint32_t dimensions = parameters.dimensions;
  for (std::uint64_t leaf = 0; leaf < bvh_boxes(parameters.rows.count, 0); ++leaf)
    for (std::uint32_t dimension = 0; dimension < dimensions; ++dimension) {
      float lower = std::numeric_limits<float>::infinity();
      float upper = -lower;
      auto* line = at<std::uint32_t>(parameters.coordinates) + (leaf * dimensions + dimension) * bvh_width;
      for (std::uint32_t i = 0; i < bvh_width; ++i) {
        const std::uint64_t place = leaf * bvh_width + i;
        line[i] = 0x7FC00000u;
        if (place >= parameters.rows.count) continue;
        line[i] = *reinterpret_cast<const std::uint32_t*>(
            value_address(parameters.rows, at<const std::uint32_t>(parameters.order)[place], dimension));
        const auto value = std::bit_cast<float>(line[i]);
        if (value < lower) lower = value;
        if (value > upper) upper = value;
      }
      auto* boxes = at<float>(parameters.boxes);
      // Which zero compares as the smaller is a device's own.
      *bvh_bound(boxes, leaf, dimensions, 2 * dimension) = lower == 0 ? 0 : lower;
      *bvh_bound(boxes, leaf, dimensions, 2 * dimension + 1) = upper == 0 ? 0 : upper;
    }
}

}  // namespace proxel
