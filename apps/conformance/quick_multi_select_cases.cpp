// Cases of quick_multi_select_subgroup and quick_multi_select_workgroup.
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "case.hpp"
#include "pass_script.hpp"
#include "proxel/passes/quick_multi_select_workgroup.h"
#include "random.hpp"

namespace proxel::conformance {
namespace {

// Orders in which values stand in a row: what is bad for a choice of pivots.
enum class Order { random, ties, constant, ascending, descending, sawtooth, special };
constexpr std::array all_orders = {Order::random,     Order::ties,     Order::constant, Order::ascending,
                                   Order::descending, Order::sawtooth, Order::special};

const char* to_string(Order order) {
  switch (order) {
    case Order::random:
      return "random";
    case Order::ties:
      return "ties";
    case Order::constant:
      return "constant";
    case Order::ascending:
      return "ascending";
    case Order::descending:
      return "descending";
    case Order::sawtooth:
      return "sawtooth";
    case Order::special:
      return "special";
  }
  return "";
}

float value_at(Order order, std::uint32_t column, std::uint32_t columns, Random& random) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const auto place = static_cast<float>(column);
  switch (order) {
    case Order::random:
      return random.normal();
    case Order::ties:
      return static_cast<float>(random.below(5)) - 2.0f;
    case Order::constant:
      return 1.5f;
    case Order::ascending:
      return place;
    case Order::descending:
      return static_cast<float>(columns) - place;
    case Order::sawtooth:
      return static_cast<float>(column % 32);
    case Order::special:
      break;
  }
  const float special[] = {0.0f,          -0.0f,
                           inf,           -inf,
                           std::nanf(""), std::bit_cast<float>(0xFFC12345u),
                           1.0f,          std::numeric_limits<float>::max()};
  return special[random.below(std::size(special))];
}

struct Shape {
  std::uint32_t rows, columns, k, gap, workgroups;
};

struct QuickCase {
  Shape shape;
  Order order = Order::random;
  bool by_subgroup = false;
  bool largest_first = false;
  bool payload = false;
  bool offsets = false;
  std::uint32_t selected_gap = 0;
  bool as_keys = false;
  std::uint32_t threads = 128;  // of a workgroup per row

  std::string name() const {
    return fmt::format(
        "pass/quick_multi_select_{}/rows={},columns={},k={},stride={},workgroups={}"
        "{}{}{}{}{}{}/{}",
        by_subgroup ? "subgroup" : "workgroup", shape.rows, shape.columns, shape.k, shape.columns + shape.gap,
        shape.workgroups, largest_first ? ",largest" : "", payload ? ",payload" : "", offsets ? ",offsets" : "",
        selected_gap != 0 ? ",apart" : "", as_keys ? ",keys" : "",
        threads == 128 ? "" : fmt::format(",threads={}", threads), to_string(order));
  }
};

std::unique_ptr<Check> prepare(const QuickCase& c, const Context& context) {
  Random random(context.seed);
  const Shape& shape = c.shape;
  const std::uint64_t stride = shape.columns + shape.gap;
  // Between the rows: values smaller and larger than any, which must not be selected.
  std::vector<float> values(shape.rows * stride);
  std::vector<std::uint32_t> payload(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto column = static_cast<std::uint32_t>(i % stride);
    values[i] = column < shape.columns ? value_at(c.order, column, shape.columns, random)
                : c.largest_first      ? std::numeric_limits<float>::infinity()
                                       : -std::numeric_limits<float>::infinity();
    payload[i] = static_cast<std::uint32_t>(random.bits());
  }
  std::vector<float> offsets(shape.columns);
  for (float& offset : offsets) offset = value_at(c.order, 0, 1, random);
  return check_passes(context, [=](PassScript& script) {
    passes::QuickMultiSelectParameters parameters{};
    const std::uint64_t at_once =
        shape.workgroups * (c.by_subgroup ? passes::quick_multi_select_rows(script.subgroup_size()) : 1u);
    parameters.selected_stride = shape.k + c.selected_gap;
    const std::uint64_t slots = std::uint64_t{shape.rows} * parameters.selected_stride;
    parameters.values = script.input("values", values, 4);
    if (c.offsets) parameters.offsets = script.input("offsets", offsets);
    if (c.payload) parameters.payload = script.input("payload", payload);
    parameters.auxiliary = script.scratch("auxiliary", at_once * 2 * shape.columns * 8);
    parameters.indices = script.output("indices", slots * 4);
    parameters.selected = script.output("selected", slots * 4);
    parameters.rows = shape.rows;
    parameters.columns = shape.columns;
    parameters.row_stride = static_cast<std::uint32_t>(stride);
    parameters.k = shape.k;
    parameters.first_index = c.offsets ? 1u << 31 : 0;
    parameters.largest_first = c.largest_first;
    parameters.as_keys = c.as_keys;
    script.add_pass(c.by_subgroup
                        ? passes::make_quick_multi_select_subgroup(parameters, script.subgroup_size(), shape.workgroups)
                        : passes::make_quick_multi_select_workgroup(parameters, shape.workgroups, c.threads));
  });
}

}  // namespace

void add_quick_multi_select_cases(Cases& cases) {
  // One key, a segment and one more, what is sorted at once and one more, rows
  // that wait for a worker, k past the row.
  constexpr Shape shapes[] = {{1, 1, 1, 0, 1},       {3, 7, 7, 1, 1},      {5, 33, 40, 0, 2},   {2, 64, 3, 5, 1},
                              {9, 65, 64, 0, 1},     {40, 129, 10, 3, 2},  {3, 257, 200, 0, 1}, {2, 1024, 1, 0, 1},
                              {7, 1025, 1025, 2, 3}, {130, 300, 16, 0, 5}, {2, 5000, 64, 1, 2}, {3, 5000, 3000, 0, 1},
                              {1, 20011, 512, 0, 1}, {1, 9001, 9100, 7, 1}};
  std::size_t step = 0;
  for (const bool by_subgroup : {true, false})
    for (const Shape& shape : shapes)
      for (const Order order : all_orders) {
        ++step;
        const QuickCase c{
            shape,        order, by_subgroup, step % 3 == 0, step % 4 == 1, step % 5 == 2, step % 2 == 0 ? 0u : 3u,
            step % 6 == 0};
        const bool quick = step % 2 == 0;
        cases.push_back({c.name(), quick, [c](const Context& context) { return prepare(c, context); }});
      }
  // Wider workgroups sort more at once.
  for (const std::uint32_t threads : {256u, 512u})
    for (const Shape& shape : {Shape{3, 100, 7, 0, 1}, Shape{2, 4097, 30, 1, 2}, Shape{5, 9000, 4100, 0, 2}})
      for (const Order order : all_orders) {
        QuickCase c{shape, order};
        c.threads = threads;
        const bool quick = ++step % 4 == 0;
        cases.push_back({c.name(), quick, [c](const Context& context) { return prepare(c, context); }});
      }
}

}  // namespace proxel::conformance
