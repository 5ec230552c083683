// What follows a search for neighbours: clusters of the graph, and a step of its layout.
#include <memory>
#include <random>

#include "proxel/components.hpp"
#include "proxel/layout.hpp"
#include "recordable_parts.hpp"

namespace recordable {
namespace {

// Rows that know some others, so few that there are several components.
Neighbors some_graph(std::uint64_t rows, std::uint64_t neighbors) {
  std::mt19937 generator(7);
  Neighbors graph{Matrix<std::uint32_t>(rows, neighbors), Matrix<float>(rows, neighbors)};
  for (std::uint64_t i = 0; i < rows * neighbors; ++i) {
    graph.indices.data()[i] = static_cast<std::uint32_t>(generator() % rows);
    graph.distances.data()[i] = static_cast<float>(generator() % 100);
  }
  return graph;
}

Recordable of_components(List& list) {
  constexpr std::uint64_t rows = 900, neighbors = 2;
  const Neighbors graph = some_graph(rows, neighbors);
  ComponentsOptions options;
  options.limit = 30.0f;
  const auto plan = std::make_shared<ComponentsPlan>();
  *plan = ComponentsPlan::make(list.device(), {rows, neighbors, options});
  const Components found = connected_components(list.reference(), graph, options);
  const auto count = static_cast<std::uint32_t>(found.count);
  Recordable one;
  one.inputs = {bytes_of(graph.indices.data(), rows * neighbors), bytes_of(graph.distances)};
  one.expected = {bytes_of(found.of_rows.data(), rows), bytes_of(&count, 1)};
  call(one, {"indices buffer", "distances buffer", "components buffer", "count buffer", "scratch buffer"});
  one.record = [plan](Recording& recording, std::span<const BufferView> buffers) {
    plan->record(recording, {buffers[0], buffers[1], buffers[2], buffers[3]});
  };
  return one;
}

Recordable of_layout(List& list, std::uint32_t dimensions) {
  constexpr std::uint64_t rows = 700, neighbors = 5;
  constexpr float rate = 0.1f;
  const Neighbors graph = some_graph(rows, neighbors);
  LayoutDescription description{rows, neighbors, dimensions};
  const auto plan = std::make_shared<LayoutPlan>();
  *plan = LayoutPlan::make(list.device(), description);
  const Matrix<float> first = first_positions(rows, dimensions, 3);
  LayoutOptions once;
  once.dimensions = dimensions;
  once.steps = 1;
  once.rate = rate;
  once.seed = 3;
  Recordable one;
  one.inputs = {bytes_of(graph.indices.data(), rows * neighbors), bytes_of(first)};
  one.expected = {bytes_of(layout_graph(list.reference(), graph, once).positions)};
  call(one, {"indices buffer", "from buffer", "to buffer", "scratch buffer"});
  one.record = [plan](Recording& recording, std::span<const BufferView> buffers) {
    plan->record(recording, {buffers[0], buffers[1], buffers[2]}, 3 * 1'000'000, rate);
  };
  return one;
}

}  // namespace

void add_graphs(List& list) {
  list.add("components of a graph", [&] { return of_components(list); });
  for (const std::uint32_t dimensions : {2u, 3u})
    list.add("layout of a graph, " + std::to_string(dimensions) + " dimensions",
             [&] { return of_layout(list, dimensions); });
}

}  // namespace recordable
