#pragma once

#include <algorithm>

#include "passes/memory.hpp"

namespace proxel::passes {

/// Queries that a pass answers, of those that it was made for.
/// @param counted  address of a 32-bit count; 0: all of them
inline std::uint32_t counted_queries(std::uint64_t counted, std::uint32_t queries) {
  return counted == 0 ? queries : std::min(queries, *at<const std::uint32_t>(counted));
}

}  // namespace proxel::passes
