#pragma once

#include <algorithm>
#include <cstdint>

namespace proxel::session {

/// Queries that a search has on the device at once.
/// @param bytes_per_query  of the query, its filter and its results, at least 1
inline std::uint64_t queries_at_once(std::uint64_t bytes_per_query) {
  constexpr std::uint64_t transfer_bytes = std::uint64_t{64} << 20;
  return std::clamp<std::uint64_t>(transfer_bytes / std::max<std::uint64_t>(bytes_per_query, 1), 1, 1u << 20);
}

}  // namespace proxel::session
