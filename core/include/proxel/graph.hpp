#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proxel/export.h"
#include "proxel/index.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// How a k-NN graph is built.
struct GraphOptions {
  /// Whether a row is left out of its own neighbours. It is known by its index,
  /// not by its distance: duplicates of it stay.
  bool exclude_self = true;
  /// The rows that the index was made from, [n x d]: read only where its method
  /// keeps none on the device that could be used as queries (texel).
  MatrixView<float> rows = {};
  /// Called after every block of rows with the rows done so far; may be empty.
  Progress progress = {};
};

/// The k nearest rows of every row of an index: the k-NN graph of Komarov 2013.
/// Row i of both matrices, [n x k], has the neighbours of row i, ordered and
/// padded as those of any search (see Neighbors). Rows never leave the device,
/// except as `options` says. The report says where the time went.
/// @param k  1…2^32-2; past the rows that there are, slots are padded
/// Throws Error as Index::search_rows() does, and Error(unsupported) where the
/// method keeps no rows and none are given.
Neighbors knn_graph(Index& index, std::uint64_t k, Metric metric, const GraphOptions& options = {});

/// A graph as a sparse matrix in compressed rows, [rows x columns]: an edge from
/// row i to row indices[e] of length distances[e] for e = first[i] … first[i + 1] - 1.
struct CsrGraph {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::uint64_t> first;  ///< rows + 1 of them, ascending from 0
  std::vector<std::uint32_t> indices;
  std::vector<float> distances;
};

/// The edges of a graph: every slot that holds a neighbour, nearest first. A
/// neighbour at distance 0 is an edge like any other.
/// @param columns  rows of the database that the neighbours were found in
CsrGraph to_csr(const Neighbors& neighbors, std::uint64_t columns);

/// Whether this build can write .npz files, or why not.
Support npz_support();

/// Writes a .npz file that scipy.sparse.load_npz() reads as a csr_matrix and
/// numpy.load() as the arrays indptr, indices, data, shape and format. Indices
/// are 32-bit integers, or 64-bit ones where 31 bits do not suffice. The file
/// appears whole or not at all.
/// Throws Error(unsupported | input_output).
void write_npz(const std::string& path, const CsrGraph& graph);

}  // namespace proxel
PROXEL_PUBLIC_END
