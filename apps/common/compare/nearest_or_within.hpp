#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "compare/task.hpp"

namespace proxel::tool {

/// Searches an index of words or signatures for what is within reach of each query.
/// @param index    shared with the search
/// @param queries  outlive the search, as what is within reach does
template <typename Index, typename Queries>
std::function<Answer(const Progress&)> nearest_or_within(std::shared_ptr<Index> index, const Queries& queries,
                                                         const Reach& reach) {
  return [index = std::move(index), &queries, &reach](const Progress& told) -> Answer {
    if (reach.radius) return index->range_search(queries, *reach.radius, told);
    return index->search(queries, reach.k, told);
  };
}

}  // namespace proxel::tool
