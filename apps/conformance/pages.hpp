#pragma once

#include "proxel/index.hpp"

namespace proxel::conformance {

/// Pages of k behind each other, joined: what one search for all of them would give.
Neighbors joined_pages(Index& index, MatrixView<float> queries, std::uint64_t k, Metric metric, std::uint32_t pages,
                       SearchOptions options);

}  // namespace proxel::conformance
