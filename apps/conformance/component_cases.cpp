// Components of graphs: the three passes as a chain on graphs that are hard for trees of rows, and whole plans over
// k-NN graphs, compared with a walk from row to row.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <fmt/format.h>

#include "case.hpp"
#include "pass_script.hpp"
#include "proxel/components.hpp"
#include "proxel/graph.hpp"
#include "proxel/index.hpp"
#include "proxel/passes/component_begin.h"
#include "proxel/passes/component_flatten.h"
#include "proxel/passes/component_link.h"
#include "values.hpp"

namespace proxel::conformance {
namespace {

// Who is whose neighbour, each made for what goes wrong with it.
enum class Edges {
  random,
  none,     // all padding
  forward,  // a chain, row i to i + 1: the deepest trees
  back,     // the same from the other end
  star,     // all to the last row: everybody changes one root
  pairs,    // half as many components as rows, each mutual
  one_way,  // nobody is a neighbour of a neighbour
};
constexpr Edges all_edges[] = {Edges::random, Edges::none,  Edges::forward, Edges::back,
                               Edges::star,   Edges::pairs, Edges::one_way};

const char* name_of(Edges edges) {
  constexpr const char* names[] = {"random", "none", "forward", "back", "star", "pairs", "one-way"};
  return names[static_cast<std::size_t>(edges)];
}

std::uint32_t neighbor_of(Edges edges, std::uint32_t row, std::uint32_t rows, std::mt19937_64& random) {
  switch (edges) {
    case Edges::none:
      return no_neighbor;
    case Edges::forward:
      return row + 1;  // of the last row there is none
    case Edges::back:
      return row == 0 ? no_neighbor : row - 1;
    case Edges::star:
      return rows - 1;
    case Edges::random:
      return static_cast<std::uint32_t>(random() % (rows + 2));
    case Edges::pairs:
      return row ^ 1;
    case Edges::one_way:
      return row / 2;
  }
  return no_neighbor;
}

Neighbors graph_of(Edges edges, std::uint32_t rows, std::uint32_t neighbors, std::uint64_t seed) {
  Neighbors graph{Matrix<std::uint32_t>(rows, neighbors), Matrix<float>(rows, neighbors)};
  std::mt19937_64 random(seed);
  constexpr float lengths[] = {
      0, 0.5f, 1, 1.5f, 2, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()};
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t slot = 0; slot < neighbors; ++slot) {
      // The edge is in the last slot, behind the row itself and what is no row.
      const bool last = slot + 1 == neighbors || edges == Edges::random;
      graph.indices(row, slot) = last ? neighbor_of(edges, row, rows, random) : slot % 2 == 0 ? row : no_neighbor;
      graph.distances(row, slot) = lengths[random() % std::size(lengths)];
    }
  return graph;
}

// From each row in turn to all that can be reached, along edges in both directions.
std::vector<std::uint32_t> oracle(const Neighbors& graph, const ComponentsOptions& options) {
  const auto rows = static_cast<std::uint32_t>(graph.indices.rows());
  std::vector<std::vector<std::uint32_t>> beside(rows);
  const auto names = [&](std::uint32_t row, std::uint32_t other) {
    for (std::uint64_t slot = 0; slot < graph.indices.columns(); ++slot)
      if (graph.indices(row, slot) == other) return true;
    return false;
  };
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint64_t slot = 0; slot < graph.indices.columns(); ++slot) {
      const std::uint32_t other = graph.indices(row, slot);
      const float length = graph.distances(row, slot);
      if (other >= rows || (options.mutual && !names(other, row))) continue;
      if (options.limit && !(options.metric == Metric::ip ? length >= *options.limit : length <= *options.limit))
        continue;
      beside[row].push_back(other);
      beside[other].push_back(row);
    }
  std::vector<std::uint32_t> found(rows, no_neighbor), waiting;
  for (std::uint32_t first = 0; first < rows; ++first) {
    if (found[first] != no_neighbor) continue;
    found[first] = first;
    for (waiting = {first}; !waiting.empty();) {
      const std::uint32_t row = waiting.back();
      waiting.pop_back();
      for (const std::uint32_t other : beside[row])
        if (found[other] == no_neighbor) {
          found[other] = first;
          waiting.push_back(other);
        }
    }
  }
  return found;
}

Verdict judge_components(const Components& actual, const Neighbors& graph, const ComponentsOptions& options) {
  const std::vector<std::uint32_t> expected = oracle(graph, options);
  for (std::uint32_t row = 0; row < expected.size(); ++row)
    if (actual.of_rows.at(row) != expected[row])
      return Verdict::fail(
          fmt::format("row {} is in component {}, expected {}", row, actual.of_rows[row], expected[row]));
  std::uint64_t roots = 0;
  for (std::uint32_t row = 0; row < expected.size(); ++row) roots += expected[row] == row;
  if (actual.count != roots)
    return Verdict::fail(fmt::format("{} components were counted, there are {}", actual.count, roots));
  return Verdict::pass(bytes_of(actual.of_rows.data(), actual.of_rows.size()));
}

void add_chains(Cases& cases) {
  std::size_t step = 0;
  for (const Edges edges : all_edges)
    for (const std::uint32_t rows : {1u, 2u, 5u, 127u, 128u, 129u, 1000u})
      for (const std::uint32_t neighbors : {1u, 2u, 7u})
        for (const bool mutual : {false, true})
          for (const bool limited : {false, true}) {
            const bool quick = step++ % (rows < 127 ? 37 : 13) == 0;
            cases.push_back({fmt::format("pass/components/{}/rows={},k={}{}{}", name_of(edges), rows, neighbors,
                                         mutual ? ",mutual" : "", limited ? ",limited" : ""),
                             quick, [=](const Context& context) {
              const Neighbors graph = graph_of(edges, rows, neighbors, context.seed);
              return check_passes(context, [=](PassScript& script) {
                const auto values = [](const auto& matrix) {
                  return std::vector(matrix.data(), matrix.data() + matrix.rows() * matrix.columns());
                };
                passes::ComponentLinkParameters link{};
                link.indices = script.input("indices", values(graph.indices));
                if (limited) link.distances = script.input("distances", values(graph.distances));
                link.components = script.output("components", std::uint64_t{4} * rows);
                link.rows = rows;
                link.neighbors = neighbors;
                link.limit = 1;
                link.largest_first = rows % 2;
                link.mutual = mutual;
                const std::uint64_t count = script.output("count", std::uint64_t{4});
                script.add_pass(passes::make_component_begin({link.components, count, rows, 0}));
                script.add_pass(passes::make_component_link(link));
                script.add_pass(passes::make_component_flatten({link.components, count, rows, 0}));
              });
            }});
          }
}

void add_made_graphs(Cases& cases) {
  for (const Edges edges : all_edges)
    for (const std::uint32_t rows : {1u, 3u, 500u, 70'001u, 1'000'003u})
      for (const bool mutual : {false, true}) {
        ComponentsOptions options;
        options.mutual = mutual;
        if (rows % 2 == 0) options = {1.0f, rows % 3 == 0 ? Metric::ip : Metric::l2, mutual};
        cases.push_back({fmt::format("components/made/{}/rows={}{}", name_of(edges), rows, mutual ? ",mutual" : ""),
                         !mutual && (rows == 500 || rows == 70'001), [=](const Context& context) {
          return make_check([=, graph = graph_of(edges, rows, 3, context.seed)](Device& device) {
            return judge_components(connected_components(device, graph, options), graph, options);
          });
        }});
      }
}

void add_knn_graphs(Cases& cases) {
  constexpr Kind kinds[] = {Kind::gaussian, Kind::integers, Kind::duplicates, Kind::nan, Kind::infinity};
  std::size_t step = 0;
  for (const Kind kind : kinds)
    for (const Metric metric : {Metric::l2, Metric::ip, Metric::l1})
      for (const bool mutual : {false, true})
        for (const std::uint64_t k : {1, 4, 200}) {
          const std::uint64_t n = k == 200 ? 150 : 2000;
          const bool quick = step++ % 7 == 0;
          cases.push_back({fmt::format("components/graph/{}/n={},k={}{}/{}", to_string(metric), n, k,
                                       mutual ? ",mutual" : "", to_string(kind)),
                           quick, [=](const Context& context) {
            // Another's graph: who finds it is not what is asked.
            const auto finder = open_device("cpu");
            const Data data = make_data(kind, n, 3, 1, context.seed);
            Index index(*finder, data.database.view());
            return make_check([=, graph = knn_graph(index, k, metric)](Device& device) {
              // About half of the edges are shorter than the middle one of the first row.
              const ComponentsOptions options{graph.distances(0, std::min(k, n - 1) / 2), metric, mutual};
              return judge_components(connected_components(device, graph, options), graph, options);
            });
          }});
        }
}

}  // namespace

void add_component_cases(Cases& cases) {
  add_chains(cases);
  add_made_graphs(cases);
  add_knn_graphs(cases);
}

}  // namespace proxel::conformance
