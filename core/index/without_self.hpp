#pragma once

#include <span>

#include "proxel/neighbors.hpp"

namespace proxel::index {

/// The k whose rows are searched for so that `k` are left when each query's own row is out of them: k + 1.
/// Throws Error(invalid_argument) for a k that is out of range.
std::uint64_t wider_by_self(std::uint64_t k);

/// Answers of k + 1 as answers of k: each query's own row goes or, where it is not among them, the last.
/// @param self  the row that each query is; no_neighbor for none
Neighbors without_self(const Neighbors& found, std::span<const std::uint32_t> self);

}  // namespace proxel::index
