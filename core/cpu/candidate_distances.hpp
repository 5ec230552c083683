#pragma once

// Canonical distances of a query to rows here and there: several at a time, whose sums do
// not wait for each other.

#include <array>
#include <cstdint>

#include "passes/canonical.hpp"
#include "passes/order.hpp"

namespace proxel::cpu {

inline constexpr std::uint32_t candidates_together = 8;

/// Rows of equal layout, by the address of their dimension 0.
using CandidateRows = std::array<const float*, candidates_together>;
using CandidateDistances = std::array<float, candidates_together>;

template <Metric metric>
CandidateDistances candidate_distances(const float* query, const CandidateRows& rows, std::size_t dimension_stride,
                                       std::uint32_t dimensions) {
  CandidateDistances sums{};
  for (std::uint32_t dimension = 0; dimension < dimensions; ++dimension)
    for (std::uint32_t i = 0; i < candidates_together; ++i)
      sums[i] = passes::canonical_step(metric, sums[i], query[dimension], rows[i][dimension * dimension_stride]);
  return sums;
}

inline CandidateDistances candidate_distances(Metric metric, const float* query, const CandidateRows& rows,
                                              std::size_t dimension_stride, std::uint32_t dimensions) {
  switch (metric) {
    case Metric::l1:
      return candidate_distances<Metric::l1>(query, rows, dimension_stride, dimensions);
    case Metric::l2:
    case Metric::l2sq:
      return candidate_distances<Metric::l2sq>(query, rows, dimension_stride, dimensions);
    case Metric::linf:
      return candidate_distances<Metric::linf>(query, rows, dimension_stride, dimensions);
    case Metric::ip:
    case Metric::cosine:
    case Metric::pearson:
      return candidate_distances<Metric::ip>(query, rows, dimension_stride, dimensions);
  }
  return {};
}

/// Calls visit(number of the candidate, its index, distance key) for those of the candidates that are rows of these.
/// @param pitch  elements between neighbouring candidates
template <typename Visit>
void for_each_candidate(Metric metric, const passes::Rows& rows, std::uint32_t first_index, const float* query,
                        std::uint32_t dimensions, const std::uint32_t* candidates, std::uint64_t count,
                        std::uint64_t pitch, const Visit& visit) {
  CandidateRows addresses{};
  std::array<std::uint32_t, candidates_together> indices{};
  std::array<std::uint64_t, candidates_together> numbers{};
  std::uint32_t held = 0;
  const auto evaluate = [&] {
    for (std::uint32_t i = held; i < candidates_together; ++i) addresses[i] = addresses[0];
    const CandidateDistances distances =
        candidate_distances(metric, query, addresses, rows.dimension_stride, dimensions);
    for (std::uint32_t i = 0; i < held; ++i)
      visit(numbers[i], indices[i], passes::distance_key(distances[i], largest_first(metric)));
    held = 0;
  };
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t index = candidates[i * pitch];
    const std::uint64_t row = std::uint64_t{index} - first_index;
    if (index < first_index || row >= rows.count) continue;
    indices[held] = index;
    numbers[held] = i;
    addresses[held] = passes::value_address(rows, row, 0);
    if (++held == candidates_together) evaluate();
  }
  if (held != 0) evaluate();
}

}  // namespace proxel::cpu
