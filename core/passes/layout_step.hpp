#pragma once

#include "passes/memory.hpp"
#include "proxel/arithmetic/layout_force.h"
#include "proxel/passes/layout_step.h"

namespace proxel::passes {

/// Moves one vertex. Written once for the reference and for threads.
inline void move_vertex(const LayoutStepParameters& p, std::uint32_t dimensions, std::uint64_t vertex) {
  using namespace arithmetic;
  const auto* from = at<const float>(p.from);
  const float* own = from + vertex * dimensions;
  float force[most_layout_dimensions] = {};
  // @param weigh  of the squared length, what the difference is multiplied with
  const auto add = [&](std::uint64_t other, bool away, const auto& weigh) {
    const float* position = from + other * dimensions;
    float difference[most_layout_dimensions] = {};
    float square = 0;
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      difference[d] = away ? own[d] - position[d] : position[d] - own[d];
      square = square + difference[d] * difference[d];
    }
    const float weight = weigh(square);
    for (std::uint32_t d = 0; d < dimensions; ++d) force[d] = force[d] + limited_force(difference[d] * weight);
  };
  const auto* list = at<const std::uint32_t>(p.indices) + vertex * p.neighbors;
  for (std::uint32_t slot = 0; slot < p.neighbors; ++slot)
    if (list[slot] < p.rows && list[slot] != vertex) add(list[slot], false, attraction_of);
  for (std::uint32_t draw = 0; draw < p.draws; ++draw) {
    const std::uint32_t other = drawn_vertex(static_cast<std::uint32_t>(vertex), p.step, draw, p.rows);
    if (other != vertex) add(other, true, [&](float square) { return repulsion_of(square, p.repulsion); });
  }
  for (std::uint32_t d = 0; d < dimensions; ++d)
    at<float>(p.to)[vertex * dimensions + d] = placed(own[d] + p.rate * force[d]);
}

}  // namespace proxel::passes
