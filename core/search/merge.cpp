#include "proxel/merge.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "passes/decoded_distance.hpp"
#include "search/check.hpp"
#include "search/merge_rows.hpp"
#include "search/over_queries.hpp"
#include "session/compute_times.hpp"
#include "session/room.hpp"

namespace proxel {
namespace search {

using passes::no_row_key;

namespace {

// Throws Error(invalid_argument) for a row of some queries whose number would be too large.
void check_numbers(const PartialAnswer& part, std::uint64_t first, std::uint64_t count) {
  const Matrix<std::uint32_t>& indices = part.found.indices;
  const std::uint32_t* const of_queries = indices.data() + first * indices.columns();
  for (const std::uint32_t index : std::span(of_queries, count * indices.columns()))
    if (index != no_neighbor && part.first_index >= no_neighbor - std::uint64_t{index})
      throw Error(ErrorCode::invalid_argument, "first index",
                  fmt::format("{} was given for a part with a row {}; rows are numbered below 2^32-1", part.first_index,
                              index));
}

}  // namespace

std::uint64_t key_of(std::uint32_t index, float distance, std::uint64_t first_index, bool largest_first) {
  if (index == no_neighbor) return no_row_key;
  return passes::make_key(passes::distance_key(distance, largest_first),
                          static_cast<std::uint32_t>(first_index + index));
}

void RowMerge::pad(Neighbors& nearest, std::uint64_t first, std::uint64_t count) const {
  const std::uint64_t k = nearest.indices.columns();
  std::fill_n(nearest.indices.data() + first * k, count * k, no_neighbor);
  std::fill_n(nearest.distances.data() + first * k, count * k, passes::no_row_distance(largest_first_));
}

void RowMerge::add(const OrderedRows& rows, Neighbors& nearest, std::uint64_t first) {
  const std::uint64_t k = nearest.indices.columns(), new_columns = std::min(rows.columns, k);
  kept_.resize(k);
  added_.assign(k, no_row_key);
  for (std::uint64_t row = 0; row < rows.rows; ++row) {
    std::uint32_t* const indices = nearest.indices.data() + (first + row) * k;
    float* const distances = nearest.distances.data() + (first + row) * k;
    const std::uint32_t* const new_indices = rows.indices + row * rows.columns;
    const float* const new_distances = rows.distances + row * rows.columns;
    for (std::uint64_t rank = 0; rank < k; ++rank)
      kept_[rank] = key_of(indices[rank], distances[rank], 0, largest_first_);
    for (std::uint64_t rank = 0; rank < new_columns; ++rank)
      added_[rank] = key_of(new_indices[rank], new_distances[rank], rows.first_index, largest_first_);
    // Which of two is nearer is as good as random: to branch on it would cost more than all else.
    std::uint64_t from_kept = 0, from_added = 0;
    for (std::uint64_t rank = 0; rank < k; ++rank) {
      const std::uint64_t one = kept_[from_kept], other = added_[from_added], nearer = std::min(one, other);
      indices[rank] = passes::index_of(nearer);
      distances[rank] = passes::decoded_distance(nearer, largest_first_, passes::finish_none);
      from_kept += one == nearer;
      from_added += other == nearer;
    }
  }
}

}  // namespace search

Neighbors merge(std::span<const PartialAnswer> parts, std::uint64_t k, Metric metric) {
  search::require_metric(metric);
  const std::uint64_t queries = parts.empty() ? 0 : parts.front().found.indices.rows();
  for (const PartialAnswer& part : parts) {
    const Matrix<std::uint32_t>& indices = part.found.indices;
    const Matrix<float>& distances = part.found.distances;
    search::require_range("queries of a part", indices.rows(), queries, queries);
    search::require_range("queries of a part", distances.rows(), queries, queries);
    search::require_range("distances of a part", distances.columns(), indices.columns(), indices.columns());
  }
  Neighbors merged = session::neighbors_room(queries, k);
  search::over_queries(queries, k, [&](std::uint64_t first, std::uint64_t count) {
    search::RowMerge rows(largest_first(accumulated(metric)));
    rows.pad(merged, first, count);
    for (const PartialAnswer& part : parts) {
      search::check_numbers(part, first, count);
      const std::uint64_t columns = part.found.indices.columns(), slot = first * columns;
      rows.add({part.found.indices.data() + slot, part.found.distances.data() + slot, count, columns, part.first_index},
               merged, first);
    }
  });
  for (const PartialAnswer& part : parts) session::add(merged.report, part.found.report);
  if (!parts.empty()) merged.report.method = parts.front().found.report.method;
  return merged;
}

void finish(Neighbors& ordered, Metric metric) {
  search::require_metric(metric);
  if (passes::finish_of(metric) == passes::finish_none) return;
  const bool largest = largest_first(accumulated(metric));
  const std::uint64_t k = ordered.indices.columns();
  search::over_queries(ordered.indices.rows(), k, [&](std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t slot = first * k; slot < (first + count) * k; ++slot) {
      float& distance = ordered.distances.data()[slot];
      const std::uint64_t key = search::key_of(ordered.indices.data()[slot], distance, 0, largest);
      distance = passes::decoded_distance(key, largest, passes::finish_of(metric));
    }
  });
}

}  // namespace proxel
