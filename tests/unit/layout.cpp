// Layouts of graphs: what is refused, and how they settle. The bits of a step are the conformance harness's.
#include <algorithm>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "proxel/layout.hpp"
#include "refused.hpp"

using namespace proxel;
using proxel::unit::check_refused;

namespace {

// Two rings whose points know those beside them.
Neighbors two_rings(std::uint32_t each) {
  Neighbors graph{Matrix<std::uint32_t>(2 * each, 4), Matrix<float>(2 * each, 4)};
  for (std::uint32_t i = 0; i < 2 * each; ++i)
    for (std::uint32_t slot = 0; slot < 4; ++slot) {
      const std::uint32_t step = (slot / 2 + 1) * (slot % 2 == 0 ? 1 : each - 1);
      graph.indices(i, slot) = i / each * each + (i % each + step) % each;
    }
  return graph;
}

double distance(const Layout& layout, std::uint32_t a, std::uint32_t b) {
  return std::hypot(layout.positions(a, 0) - layout.positions(b, 0), layout.positions(a, 1) - layout.positions(b, 1));
}

}  // namespace

TEST_CASE("a layout refuses what it cannot be made of") {
  const auto device = open_device("cpu");
  const auto refused = [&](const LayoutDescription& description, const char* subject) {
    check_refused([&] { LayoutPlan::make(*device, description); }, subject);
  };
  refused({.rows = 0, .neighbors = 3}, "rows");
  refused({.rows = 5, .neighbors = 0}, "neighbors");
  refused({.rows = 5, .neighbors = 3, .dimensions = 0}, "dimensions");
  refused({.rows = 5, .neighbors = 3, .dimensions = 4}, "dimensions");
  refused({.rows = 5, .neighbors = 3, .draws = 65537}, "draws");
  for (const float wrong : {-1.0f, 1001.0f, std::numeric_limits<float>::quiet_NaN()})
    refused({.rows = 5, .neighbors = 3, .repulsion = wrong}, "repulsion");
  const Neighbors graph = two_rings(5);
  check_refused([&] { layout_graph(*device, graph, {.rate = -1}); }, "rate");
  check_refused([&] { layout_graph(*device, graph, {.steps = 1'000'001}); }, "steps");
  check_refused([&] { layout_graph(*device, {}, {}); }, "rows");
  CHECK(LayoutPlan().empty());
  CHECK_THROWS_AS(LayoutPlan().requirements(), Error);
  const LayoutPlan plan = LayoutPlan::make(*device, {.rows = 5, .neighbors = 3});
  const auto commands = device->create_commands(Timing::none);
  commands->begin();
  check_refused([&] { plan.record(*commands, {}, 0, 0.1f); }, "indices buffer");
  check_refused([&] { plan.record(*commands, {}, 0, 101); }, "rate");
}

TEST_CASE("what hangs together comes together, and what does not is apart") {
  const auto device = open_device("cpu");
  constexpr std::uint32_t each = 60;
  const Layout layout = layout_graph(*device, two_rings(each));
  REQUIRE(layout.positions.rows() == 2 * each);
  double beside = 0, across = 0;
  for (std::uint32_t i = 0; i < each; ++i) {
    beside += distance(layout, i, (i + 1) % each) / each;
    across += distance(layout, i, each + i) / each;
  }
  CHECK(beside < across / 3);
  // Positions are on the grid.
  for (std::uint64_t i = 0; i < layout.positions.rows() * 2; ++i) {
    const double cells = layout.positions.data()[i] * 4096.0;
    CHECK(cells == std::round(cells));
  }
}

TEST_CASE("a layout of no steps is where it begins, and another seed begins elsewhere") {
  const auto device = open_device("cpu");
  const Neighbors graph = two_rings(9);
  const auto same = [](const Matrix<float>& a, const Matrix<float>& b) {
    return std::equal(a.data(), a.data() + a.rows() * a.columns(), b.data());
  };
  const Layout none = layout_graph(*device, graph, {.dimensions = 3, .steps = 0, .seed = 4});
  CHECK(same(none.positions, first_positions(18, 3, 4)));
  CHECK_FALSE(same(first_positions(18, 3, 4), first_positions(18, 3, 5)));
  CHECK(same(layout_graph(*device, graph, {.seed = 4}).positions, layout_graph(*device, graph, {.seed = 4}).positions));
  CHECK_FALSE(
      same(layout_graph(*device, graph, {.seed = 4}).positions, layout_graph(*device, graph, {.seed = 5}).positions));
}

TEST_CASE("a layout may begin where the caller says, on the grid") {
  const auto device = open_device("cpu");
  const Neighbors graph = two_rings(5);
  Matrix<float> mine(10, 2);
  for (std::uint64_t i = 0; i < 20; ++i) mine.data()[i] = 0.1f * static_cast<float>(i);
  mine(3, 1) = std::numeric_limits<float>::quiet_NaN();
  mine(4, 0) = 1e9f;
  const Layout layout = layout_graph(*device, graph, {.steps = 0, .first = mine.view()});
  CHECK(layout.positions(0, 1) == 410.0f / 4096);
  CHECK(layout.positions(3, 1) == 1000);
  CHECK(layout.positions(4, 0) == 1000);
  CHECK(first_positions(mine.view(), 3, 2)(1, 0) == 1638.0f / 4096);
  CHECK(first_positions(mine.view(), 3, 2)(1, 2) == 0);
  const Matrix<float> other(9, 2);
  check_refused([&] { layout_graph(*device, graph, {.first = other.view()}); }, "first");
}

TEST_CASE("who is told of a layout may end it") {
  const auto device = open_device("cpu");
  std::uint64_t told = 0;
  LayoutOptions options;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    CHECK(total == 300);
    CHECK(done >= told);
    told = done;
    throw 1;
  };
  CHECK_THROWS_AS(layout_graph(*device, two_rings(9), options), int);
  CHECK(told > 0);
}
