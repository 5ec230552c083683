#pragma once

#include <algorithm>
#include <cstdint>

#include "proxel/pass.hpp"

namespace proxel::passes {

/// Workgroups that stride over the queries of lists, one for each where as a rule all are there.
/// @param few  as a rule few of them are there
constexpr std::uint32_t strided_queries(std::uint32_t queries, bool few) {
  return std::clamp(queries, 1u, few ? 2048u : largest_grid_extent);
}

}  // namespace proxel::passes
