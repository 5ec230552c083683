#include "groundtruth/running_answer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "proxel/merge.hpp"

namespace proxel::tool {

RunningAnswer::RunningAnswer(std::uint64_t queries, std::uint64_t k, Metric metric)
    : nearest_{Matrix<std::int64_t>(queries, k), Matrix<float>(queries, k)}, metric_(metric) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::fill_n(nearest_.ids.data(), queries * k, std::int64_t{-1});
  std::fill_n(nearest_.distances.data(), queries * k, largest_first(accumulated(metric)) ? -infinity : infinity);
}

RunningAnswer::RunningAnswer(GroundTruth kept, Metric metric) : nearest_(std::move(kept)), metric_(metric) {}

// Each neighbour is named by its place among the k, as merge() numbers rows by 32 bits. Places are in the order of the
// rows wherever distances are equal, so ties fall as they would by the rows' own numbers.
Neighbors RunningAnswer::by_place() const {
  const std::uint64_t queries = nearest_.ids.rows(), k = nearest_.ids.columns();
  Neighbors places{Matrix<std::uint32_t>(queries, k), nearest_.distances};
  for (std::uint64_t query = 0; query < queries; ++query)
    for (std::uint64_t slot = 0; slot < k; ++slot)
      places.indices(query, slot) = nearest_.ids(query, slot) < 0 ? no_neighbor : static_cast<std::uint32_t>(slot);
  return places;
}

void RunningAnswer::add(const Neighbors& found, std::uint64_t first) {
  const std::uint64_t queries = nearest_.ids.rows(), k = nearest_.ids.columns();
  const Neighbors before = by_place();
  const PartialAnswer parts[] = {{before, 0}, {found, k}};  // rows of the new part come behind all places
  Neighbors merged = merge(parts, k, metric_);
  Matrix<std::int64_t> ids(queries, k);
  for (std::uint64_t query = 0; query < queries; ++query)
    for (std::uint64_t slot = 0; slot < k; ++slot) {
      const std::uint32_t place = merged.indices(query, slot);
      ids(query, slot) = place == no_neighbor ? -1
                         : place < k          ? nearest_.ids(query, place)
                                              : static_cast<std::int64_t>(first + (place - k));
    }
  nearest_ = {std::move(ids), std::move(merged.distances)};
}

GroundTruth RunningAnswer::finished() const {
  Neighbors answer = by_place();
  finish(answer, metric_);
  return {nearest_.ids, std::move(answer.distances)};
}

}  // namespace proxel::tool
