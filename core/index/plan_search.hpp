#pragma once

#include <memory>

#include "index/searcher.hpp"

namespace proxel::index {

/// The searcher's plan for queries as a caller has them: where the metric asks
/// for it they are normalised into scratch memory first.
/// @param device  that the searcher plans for
std::unique_ptr<PlannedSearch> plan_search(const Device& device, Searcher& searcher,
                                           const SearchDescription& description);

}  // namespace proxel::index
