// layout_step on graphs of odd shapes, and layouts of some steps by proxel::layout_graph().

#include <cmath>

#include <fmt/format.h>

#include "case.hpp"
#include "guarded_buffer.hpp"
#include "pass_script.hpp"
#include "proxel/layout.hpp"
#include "proxel/passes/layout_step.h"
#include "random.hpp"

namespace proxel::conformance {
namespace {

struct Shape {
  std::uint32_t rows, neighbors, draws, dimensions;

  std::string name() const {
    return fmt::format("n={},neighbors={},draws={},d={}", rows, neighbors, draws, dimensions);
  }
};

// Some neighbours are the vertex itself, some are padding.
std::vector<std::uint32_t> make_lists(const Shape& shape, Random& random) {
  std::vector<std::uint32_t> lists;
  for (std::uint32_t row = 0; row < shape.rows; ++row)
    for (std::uint32_t slot = 0; slot < shape.neighbors; ++slot)
      lists.push_back(random.one_in(9)    ? row
                      : random.one_in(20) ? no_neighbor
                                          : static_cast<std::uint32_t>(random.below(shape.rows)));
  return lists;
}

// Positions on the grid that they keep to: near each other, on top of each other, and at the ends.
std::vector<float> make_positions(const Shape& shape, Random& random) {
  std::vector<float> positions(std::size_t{shape.rows} * shape.dimensions);
  for (float& value : positions)
    value = random.one_in(40) ? 1000.0f : random.one_in(3) ? 0.0f : std::round(random.symmetric() * 20 * 4096) / 4096;
  return positions;
}

void write_script(PassScript& script, const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  passes::LayoutStepParameters p{};
  p.indices = script.input("indices", make_lists(shape, random));
  p.from = script.input("from", make_positions(shape, random));
  p.to = script.output("to", std::uint64_t{4} * shape.rows * shape.dimensions);
  p.rows = shape.rows;
  p.neighbors = shape.neighbors;
  p.draws = shape.draws;
  p.step = static_cast<std::uint32_t>(random.bits());
  p.repulsion = 0.5f + 3 * random.unit();
  p.rate = random.one_in(4) ? 90.0f : random.unit();
  script.add_pass(passes::make_layout_step(p, shape.dimensions));
}

Verdict run_layout(Device& device, const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  Neighbors graph{Matrix<std::uint32_t>(shape.rows, shape.neighbors), Matrix<float>(shape.rows, shape.neighbors)};
  const std::vector<std::uint32_t> lists = make_lists(shape, random);
  std::copy(lists.begin(), lists.end(), graph.indices.data());
  LayoutOptions options;
  options.dimensions = shape.dimensions;
  options.draws = shape.draws;
  options.seed = seed;
  options.steps = 40;
  const Layout layout = layout_graph(device, graph, options);
  // Neighbours have come nearer to each other than vertices are at all.
  const auto mean_distance = [&](const auto& other_of) {
    double sum = 0;
    for (std::uint32_t row = 0; row < shape.rows; ++row) {
      double square = 0;
      for (std::uint32_t d = 0; d < shape.dimensions; ++d)
        square += std::pow(layout.positions(row, d) - layout.positions(other_of(row), d), 2);
      sum += std::sqrt(square);
    }
    return sum / shape.rows;
  };
  const double near = mean_distance([&](std::uint32_t row) {
    const std::uint32_t other = graph.indices(row, 0);
    return other < shape.rows ? other : row;
  });
  const double any = mean_distance([&](std::uint32_t row) { return (row * 7919u + 13) % shape.rows; });
  if (shape.rows >= 1000 && !(near < 0.8 * any))
    return Verdict::fail(fmt::format("neighbours are {} apart, vertices {}", near, any));
  return Verdict::pass(bytes_of(layout.positions.data(), layout.positions.rows() * layout.positions.columns()));
}

}  // namespace

void add_layout_cases(Cases& cases) {
  constexpr Shape shapes[] = {{1, 1, 1, 2},   {2, 1, 0, 2},    {3, 5, 7, 3},    {129, 16, 32, 2},
                              {128, 1, 3, 1}, {1000, 3, 5, 3}, {257, 40, 1, 2}, {70'001, 2, 2, 2}};
  for (const Shape& shape : shapes) {
    cases.push_back({"pass/layout_step/" + shape.name(), true, [shape](const Context& context) {
      return check_passes(context,
                          [shape, seed = context.seed](PassScript& script) { write_script(script, shape, seed); });
    }});
    if (shape.rows <= 1000)
      cases.push_back({"graph/layout/" + shape.name(), true, [shape](const Context& context) {
        return make_check(
            [shape, seed = context.seed](Device& device) -> Verdict { return run_layout(device, shape, seed); });
      }});
  }
}

}  // namespace proxel::conformance
