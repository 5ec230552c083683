// Cases of the passes of a bounding volume hierarchy: axes and codes on their own;
// leaves, nodes and the search as a chain over rows in any order, which decides
// how much is passed over and never what is found.
#include <algorithm>
#include <bit>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "case.hpp"
#include "layout.hpp"
#include "pass_script.hpp"
#include "proxel/passes/bvh_axis.h"
#include "proxel/passes/bvh_codes.h"
#include "proxel/passes/bvh_nodes.h"
#include "proxel/passes/bvh_search.h"
#include "row_filter.hpp"
#include "values.hpp"

namespace proxel::conformance {
namespace {

using passes::bvh_width;

// Boxes per level, by bvh_search.h.
std::vector<std::uint32_t> boxes_per_level(std::uint32_t rows) {
  std::vector<std::uint32_t> boxes{(rows + 31) / 32};
  while (boxes.back() > 32) boxes.push_back((boxes.back() + 31) / 32);
  return boxes;
}

// All rows, shuffled, or by their first coordinate.
std::vector<std::uint32_t> order_of(const Matrix<float>& database, bool sorted, std::uint64_t seed) {
  std::vector<std::uint32_t> order(database.rows());
  std::iota(order.begin(), order.end(), 0u);
  if (sorted)
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return distance_key(database(a, 0), false) < distance_key(database(b, 0), false);
    });
  else
    std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  return order;
}

void add_axis(Cases& cases) {
  for (const std::uint32_t n : {1u, 129u, 1000u})
    for (const std::uint32_t d : {1u, 3u, 8u})
      for (const Layout layout : all_layouts)
        cases.push_back({fmt::format("pass/bvh/axis/n={},d={},layout={}/nan", n, d, to_string(layout)), true,
                         [=](const Context& context) {
          const Data data = make_data(Kind::nan, n, d, 1, context.seed);
          return check_passes(context, [=](PassScript& script) {
            const MatrixView<float> database = data.database.view();
            const std::uint32_t leading = layout == Layout::column_major ? n + 3 : d + 1;
            passes::BvhAxisParameters axis{};
            axis.rows =
                describe_rows(script.input("rows", arranged(database, layout, leading)), database, layout, leading);
            axis.values = script.output("values", std::uint64_t{4} * (n + 1));
            axis.dimension = d - 1;
            script.add_pass(passes::make_bvh_axis(axis));
          });
        }});
}

void add_codes(Cases& cases) {
  for (const std::uint32_t n : {1u, 2u, 129u, 70'000u})
    for (const std::uint32_t d : {1u, 2u, 3u, 7u, 8u})
      cases.push_back({fmt::format("pass/bvh/codes/n={},d={}", n, d), true, [=](const Context& context) {
        const Data data = make_data(Kind::gaussian, n, 1, 1, context.seed);
        return check_passes(context, [=](PassScript& script) {
          passes::BvhCodesParameters codes{};
          codes.codes = script.output("codes", std::uint64_t{4} * (n + 1));
          codes.row_count = n;
          codes.dimensions = d;
          const auto bits = static_cast<std::uint32_t>(std::bit_width(n - 1));
          codes.shift = bits - std::min(bits, passes::bvh_rank_bits(d));
          for (std::uint32_t axis = 0; axis < d; ++axis) {
            codes.order = script.input("order", order_of(data.database, axis % 2 == 0, axis));
            codes.axis = axis;
            script.add_pass(passes::make_bvh_codes(codes));
          }
        });
      }});
}

struct SearchCase {
  std::uint32_t n, d, q, k;
  Metric metric;
  Kind kind;
  bool sorted, continued;
  FilterChoice filter;
  bool counted;  // half of the queries are there

  std::string name() const {
    return fmt::format("pass/bvh/search/{}/n={},d={},q={},k={},{}{}{}{}/{}", to_string(metric), n, d, q, k,
                       sorted ? "sorted" : "shuffled", continued ? ",continued" : "", filter.name(),
                       counted ? ",counted" : "", to_string(kind));
  }
};

void write_script(PassScript& script, const SearchCase& c, const Data& data, std::uint64_t seed) {
  const std::vector<std::uint32_t> levels = boxes_per_level(c.n);
  const auto level_bytes = [&](std::uint32_t boxes) {
    return std::uint64_t{(boxes + 31) / 32} * 2 * c.d * bvh_width * 4;
  };
  passes::BvhLeavesParameters leaves{};
  leaves.rows = describe_rows(script.input("rows", arranged(data.database.view(), Layout::tiles, 0)),
                              data.database.view(), Layout::tiles, 0);
  leaves.order = script.input("order", order_of(data.database, c.sorted, seed));
  leaves.coordinates = script.output("coordinates", std::uint64_t{levels[0]} * c.d * bvh_width * 4);
  std::uint64_t box_bytes = 0;
  for (const std::uint32_t boxes : levels) box_bytes += level_bytes(boxes);
  leaves.boxes = script.output("boxes", box_bytes);
  leaves.dimensions = c.d;
  script.add_pass(passes::make_bvh_leaves(leaves));
  passes::BvhNodesParameters nodes{};
  nodes.children = leaves.boxes;
  nodes.dimensions = c.d;
  for (std::size_t level = 1; level < levels.size(); ++level, nodes.children = nodes.boxes) {
    nodes.child_count = levels[level - 1];
    nodes.boxes = nodes.children + level_bytes(nodes.child_count);
    script.add_pass(passes::make_bvh_nodes(nodes));
  }

  passes::BvhSearchParameters search{};
  search.queries = script.input("queries", contiguous(data.queries));
  search.coordinates = leaves.coordinates;
  search.order = leaves.order;
  search.boxes = leaves.boxes;
  search.indices = script.output("indices", std::uint64_t{4} * c.q * c.k);
  search.distances = script.output("distances", std::uint64_t{4} * c.q * c.k);
  search.row_count = c.n;
  search.query_count = c.q;
  search.query_stride = c.d;
  search.k = c.k;
  search.finish = c.metric == Metric::l2 ? passes::finish_root : passes::finish_none;
  if (c.continued) {
    std::vector<std::uint64_t> keys(c.q);
    for (std::uint32_t i = 0; i < c.q; ++i)
      keys[i] = i % 5 == 4 ? no_row_key : make_key(distance_key(0.1f * static_cast<float>(i), false), c.n / 2);
    search.after = script.input("after", keys);
  }
  if (c.filter.given) {
    search.filter_bits = script.input("filter", words_of(make_filter(c.filter, c.n, c.q, seed + 1)));
    search.filter_stride = c.filter.per_query ? (c.n + 31) / 32 : 0;
  }
  if (c.counted) search.counted = script.input("counted", std::vector<std::uint32_t>{c.q / 2});
  script.add_pass(passes::make_bvh_search(search, c.metric, c.d));
}

void add_searches(Cases& cases) {
  struct Sizes {
    std::uint32_t n, d, q, k;
  };
  constexpr Sizes sizes[] = {{1, 1, 1, 1},       {32, 2, 3, 32},   {33, 8, 5, 40},    {1000, 4, 9, 7},
                             {1024, 1, 65, 20},  {1025, 3, 33, 1}, {4000, 5, 7, 100}, {33000, 2, 5, 20},
                             {3000, 6, 4, 1024}, {2500, 7, 6, 3}};
  constexpr Metric metrics[] = {Metric::l1, Metric::l2sq, Metric::l2, Metric::linf};
  std::size_t step = 0;
  for (const Sizes& s : sizes)
    for (const Kind kind : all_kinds) {
      if (!bit_identical(kind)) continue;
      const SearchCase c{s.n,
                         s.d,
                         s.q,
                         s.k,
                         metrics[step % 4],
                         kind,
                         step % 3 != 0,
                         step % 5 == 2,
                         {step % 4 == 1, all_filter_patterns[step % 6], step % 8 == 5},
                         step % 7 == 3};
      cases.push_back({c.name(), step++ % 3 == 0, [c](const Context& context) {
        const Data data = make_data(c.kind, c.n, c.d, c.q, context.seed);
        return check_passes(context,
                            [=, seed = context.seed](PassScript& script) { write_script(script, c, data, seed); });
      }});
    }
}

}  // namespace

void add_bvh_pass_cases(Cases& cases) {
  add_axis(cases);
  add_codes(cases);
  add_searches(cases);
}

}  // namespace proxel::conformance
