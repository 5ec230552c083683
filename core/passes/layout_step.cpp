#include "passes/layout_step.hpp"

#include "passes/grids.hpp"
#include "passes/reference.hpp"

namespace proxel {

Pass passes::make_layout_step(const LayoutStepParameters& parameters, std::uint32_t dimensions) {
  return make_pass(layout_step, parameters, {.dimensions = dimensions},
                   {strided_groups(divide_up(parameters.rows, common_workgroup)), 1, 1}, common_workgroup);
}

PROXEL_THREADED_PASS(layout_step)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<LayoutStepParameters>();
  const std::uint32_t dimensions = pass.constants_as<LayoutStepConstants>().dimensions;
  for (std::uint64_t vertex = 0; vertex < parameters.rows; ++vertex) move_vertex(parameters, dimensions, vertex);
}

}  // namespace proxel
