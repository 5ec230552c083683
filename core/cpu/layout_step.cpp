// Vertices by several threads.

#include "passes/layout_step.hpp"

#include <algorithm>

#include "cpu/machine.hpp"
#include "passes/grids.hpp"

namespace proxel::cpu {

void layout_step(const Pass& pass, Machine& machine) {
  using namespace passes;
  constexpr std::uint64_t vertices_at_a_time = 1024;
  const auto parameters = pass.as<LayoutStepParameters>();
  const std::uint32_t dimensions = pass.constants_as<LayoutStepConstants>().dimensions;
  machine.workers.for_each(divide_up(std::uint64_t{parameters.rows}, vertices_at_a_time), [&](std::uint64_t block) {
    Workers::look();
    const std::uint64_t end = std::min<std::uint64_t>((block + 1) * vertices_at_a_time, parameters.rows);
    for (std::uint64_t vertex = block * vertices_at_a_time; vertex < end; ++vertex)
      move_vertex(parameters, dimensions, vertex);
  });
}

}  // namespace proxel::cpu
