#pragma once

#include "proxel/neighbors.hpp"

namespace proxel::session {

/// Matches per query that there is room for at first.
inline constexpr std::uint64_t matches_at_first = 64;

/// Room for the k nearest. Throws Error(invalid_argument | out_of_memory).
Neighbors neighbors_room(std::uint64_t queries, std::uint64_t k);

/// Throws Error(out_of_memory): k neighbours of so many queries.
[[noreturn]] void fail_for_neighbors(std::uint64_t queries, std::uint64_t k);

/// Throws Error(out_of_memory): so many matches and more.
[[noreturn]] void fail_for_matches(std::uint64_t found);

}  // namespace proxel::session
