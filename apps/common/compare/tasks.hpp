#pragma once

// The kinds of searches that are compared: each a Task in a file of its own.

#include <cstdint>
#include <memory>
#include <optional>

#include "compare/data.hpp"
#include "compare/task.hpp"
#include "proxel/permutation.hpp"
#include "proxel/signature_index.hpp"

namespace proxel::tool {

template <typename Data>
using Shared = std::shared_ptr<const Data>;
using TaskPointer = std::shared_ptr<const Task>;

/// How vectors are searched.
struct VectorSearch {
  Reach reach = {};
  Metric metric = Metric::l2sq;
  IndexOptions index = {};  ///< but for its method and timing
  bool raw = false;         ///< the methods' own arithmetic, compared with the canonical one; the k nearest alone
};

/// The k nearest rows of each query, or all within a radius.
TaskPointer vectors_task(Shared<VectorData> data, const VectorSearch& search);
/// The k nearest rows of every row.
/// @param search  without a radius
/// @param exclude_self  as in GraphOptions
TaskPointer graph_task(Shared<VectorData> data, const VectorSearch& search, bool exclude_self);
/// The nearest words of each query.
TaskPointer words_task(Shared<WordData> data, const Reach& reach, StringDistance distance);
/// The nearest signatures of each query.
TaskPointer signatures_task(Shared<SignatureData> data, const Reach& reach, const SimilarityFunction& similarity);

/// A radius within which half of the queries of a search for the k nearest have k objects, found on the CPU.
/// Throws Error.
float radius_of(const Task& nearest, const Progress& progress);

/// How a permutation index is searched.
struct PermutationSearch {
  std::uint64_t k = 10;
  PermutationOptions index = {};
  double fraction = 0.1;              ///< of the objects, that is compared with a query
  std::optional<double> recall = {};  ///< for which every device chooses the fraction instead
};

// The k nearest among those objects that a permutation index puts first, with their recall.

TaskPointer permutations_task(Shared<WordData> data, const PermutationSearch& search);
TaskPointer permutations_task(Shared<VectorData> data, const PermutationSearch& search, Metric metric);

}  // namespace proxel::tool
