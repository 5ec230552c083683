#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "proxel/graph.hpp"
#include "proxel/sharded_index.hpp"
#include "search/check.hpp"

namespace proxel {
namespace {

template <typename AnyIndex>
Neighbors graph_of(AnyIndex& index, std::uint64_t k, Metric metric, const GraphOptions& options) {
  search::require_range("k", k, 1, search::most_k - 1);
  if (index.removed_rows() != 0)
    throw Error(ErrorCode::unsupported, "index",
                "has rows that were removed, which would be points of the graph; compact() it first");
  std::vector<std::uint32_t> self;
  SearchOptions with;
  with.progress = options.progress;
  if (options.exclude_self) {
    self.resize(index.rows());
    std::iota(self.begin(), self.end(), 0u);
    with.self = self;
  }
  if (!options.rows.data) return index.search_rows(0, index.rows(), k, metric, with);
  if (options.rows.rows != index.rows() || options.rows.columns != index.dimensions())
    throw Error(ErrorCode::invalid_argument, "rows",
                fmt::format("are {} x {}, the index has {} x {}", options.rows.rows, options.rows.columns, index.rows(),
                            index.dimensions()));
  return index.search(options.rows, k, metric, with);
}

}  // namespace

Neighbors knn_graph(Index& index, std::uint64_t k, Metric metric, const GraphOptions& options) {
  return graph_of(index, k, metric, options);
}

Neighbors knn_graph(ShardedIndex& index, std::uint64_t k, Metric metric, const GraphOptions& options) {
  return graph_of(index, k, metric, options);
}

CsrGraph to_csr(const Neighbors& neighbors, std::uint64_t columns) {
  CsrGraph graph;
  graph.rows = neighbors.indices.rows();
  graph.columns = columns;
  graph.first.reserve(graph.rows + 1);
  graph.first.push_back(0);
  const std::uint64_t slots = graph.rows * neighbors.indices.columns();
  graph.indices.reserve(slots);
  graph.distances.reserve(slots);
  for (std::uint64_t row = 0; row < graph.rows; ++row) {
    for (std::uint64_t slot = 0; slot < neighbors.indices.columns(); ++slot) {
      if (neighbors.indices(row, slot) == no_neighbor) continue;
      graph.indices.push_back(neighbors.indices(row, slot));
      graph.distances.push_back(neighbors.distances(row, slot));
    }
    graph.first.push_back(graph.indices.size());
  }
  return graph;
}

}  // namespace proxel
