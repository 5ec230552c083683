#include <algorithm>

#include <fmt/format.h>

#include "proxel/graph.hpp"
#include "search/check.hpp"

namespace proxel {
namespace {

// A row itself is left out of the k + 1 neighbours that are found.
constexpr std::uint64_t most_neighbors = search::most_k - 1;

// The neighbours of all rows, whatever of them is wanted.
Neighbors search_all(Index& index, std::uint64_t k, Metric metric, const GraphOptions& options) {
  SearchOptions with;
  with.progress = options.progress;
  if (index.removed_rows() != 0)
    throw Error(ErrorCode::unsupported, "index",
                "has rows that were removed, which would be points of the graph; compact() it first");
  if (!options.rows.data) return index.search_rows(0, index.rows(), k, metric, with);
  if (options.rows.rows != index.rows() || options.rows.columns != index.dimensions())
    throw Error(ErrorCode::invalid_argument, "rows",
                fmt::format("are {} x {}, the index has {} x {}", options.rows.rows, options.rows.columns, index.rows(),
                            index.dimensions()));
  return index.search(options.rows, k, metric, with);
}

// Drops a row from its own list, or the last neighbour where it is not in it.
template <typename T>
void copy_without(std::uint64_t slot, const T* from, std::uint64_t count, T* to) {
  std::copy(from, from + slot, to);
  std::copy(from + slot + 1, from + count, to + slot);
}

}  // namespace

Neighbors knn_graph(Index& index, std::uint64_t k, Metric metric, const GraphOptions& options) {
  if (k == 0 || k > most_neighbors)
    throw Error(ErrorCode::invalid_argument, "k", fmt::format("{} was given, 1 to {} is allowed", k, most_neighbors));
  if (!options.exclude_self) return search_all(index, k, metric, options);

  // A row is as a rule among its own k + 1 nearest; if not, they are nearer still.
  const std::uint64_t wider = k + 1;
  const Neighbors found = search_all(index, wider, metric, options);
  Neighbors graph{Matrix<std::uint32_t>(index.rows(), k), Matrix<float>(index.rows(), k), found.report};
  for (std::uint64_t row = 0; row < index.rows(); ++row) {
    const std::uint32_t* indices = found.indices.data() + row * wider;
    const auto self =
        static_cast<std::uint64_t>(std::find(indices, indices + k, static_cast<std::uint32_t>(row)) - indices);
    copy_without(self, indices, wider, graph.indices.data() + row * k);
    copy_without(self, found.distances.data() + row * wider, wider, graph.distances.data() + row * k);
  }
  return graph;
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
