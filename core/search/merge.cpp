#include "proxel/merge.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "passes/decoded_distance.hpp"
#include "search/check.hpp"
#include "search/merge_rows.hpp"
#include "session/compute_times.hpp"
#include "session/room.hpp"

namespace proxel {
namespace search {

using passes::no_row_key;

namespace {

std::uint64_t key_of(std::uint32_t index, float distance, std::uint64_t first_index, bool largest_first) {
  if (index == no_neighbor) return no_row_key;
  return passes::make_key(passes::distance_key(distance, largest_first),
                          static_cast<std::uint32_t>(first_index + index));
}

}  // namespace

void RowMerge::pad(Neighbors& nearest) const {
  const std::uint64_t slots = nearest.indices.rows() * nearest.indices.columns();
  std::fill_n(nearest.indices.data(), slots, no_neighbor);
  std::fill_n(nearest.distances.data(), slots, passes::no_row_distance(largest_first_));
}

void RowMerge::add(const OrderedRows& rows, Neighbors& nearest, std::uint64_t first) {
  const std::uint64_t k = nearest.indices.columns();
  kept_.resize(k);
  for (std::uint64_t row = 0; row < rows.rows; ++row) {
    std::uint32_t* const indices = nearest.indices.data() + (first + row) * k;
    float* const distances = nearest.distances.data() + (first + row) * k;
    const std::uint32_t* const new_indices = rows.indices + row * rows.columns;
    const float* const new_distances = rows.distances + row * rows.columns;
    for (std::uint64_t rank = 0; rank < k; ++rank)
      kept_[rank] = key_of(indices[rank], distances[rank], 0, largest_first_);
    std::uint64_t taken = 0, next = 0;
    const auto candidate = [&] {
      return next < rows.columns ? key_of(new_indices[next], new_distances[next], rows.first_index, largest_first_)
                                 : no_row_key;
    };
    for (std::uint64_t rank = 0, new_key = candidate(); rank < k; ++rank) {
      const bool is_new = new_key < kept_[taken];
      const std::uint64_t nearer = is_new ? new_key : kept_[taken++];
      indices[rank] = passes::index_of(nearer);
      distances[rank] = passes::decoded_distance(nearer, largest_first_, passes::finish_none);
      if (is_new) {
        ++next;
        new_key = candidate();
      }
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
    const std::uint64_t slots = queries * indices.columns();
    for (std::uint64_t slot = 0; slot < slots; ++slot)
      if (indices.data()[slot] != no_neighbor && part.first_index >= no_neighbor - std::uint64_t{indices.data()[slot]})
        throw Error(ErrorCode::invalid_argument, "first index",
                    fmt::format("{} was given for a part with a row {}; rows are numbered below 2^32-1",
                                part.first_index, indices.data()[slot]));
  }
  Neighbors merged = session::neighbors_room(queries, k);
  search::RowMerge rows(largest_first(accumulated(metric)));
  rows.pad(merged);
  for (const PartialAnswer& part : parts)
    rows.add({part.found.indices.data(), part.found.distances.data(), queries, part.found.indices.columns(),
              part.first_index},
             merged, 0);
  for (const PartialAnswer& part : parts) session::add(merged.report, part.found.report);
  if (!parts.empty()) merged.report.method = parts.front().found.report.method;
  return merged;
}

void finish(Neighbors& ordered, Metric metric) {
  search::require_metric(metric);
  const bool largest = largest_first(accumulated(metric));
  const std::uint64_t slots = ordered.indices.rows() * ordered.indices.columns();
  for (std::uint64_t slot = 0; slot < slots; ++slot) {
    float& distance = ordered.distances.data()[slot];
    const std::uint64_t key = search::key_of(ordered.indices.data()[slot], distance, 0, largest);
    distance = passes::decoded_distance(key, largest, passes::finish_of(metric));
  }
}

}  // namespace proxel
