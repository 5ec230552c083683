#pragma once

// How searches divide work among workgroups.

#include <algorithm>
#include <cstdint>

#include "proxel/device.hpp"
#include "proxel/search.hpp"

namespace proxel::search {

/// Fewer queries than this cost less as separate passes over the rows than as
/// one mostly empty tile of queries.
inline constexpr std::uint32_t few_queries = 8;

/// Distances, and terms of them, up to which a device reads the rows anew for every query,
/// out of its cache, sooner than tiles of queries and rows have passed through several passes;
/// and neighbours up to which it does.
inline constexpr std::uint64_t few_scan_pairs = std::uint64_t{1} << 20;
inline constexpr std::uint64_t few_scan_terms = std::uint64_t{1} << 27;
inline constexpr std::uint64_t few_scan_neighbors = 128;
/// Whether all of these are kept to.
inline bool reads_rows_anew(const SearchDescription& description) {
  return description.k <= few_scan_neighbors && description.rows <= few_scan_pairs / description.queries &&
         description.rows <= few_scan_terms / description.dimensions / description.queries;
}

/// A chunk of rows and a block of queries stay below what one grid direction holds;
/// tiles of rows may be half of tile_rows wide.
inline constexpr std::uint64_t most_chunk_tiles = largest_grid_extent / 2;
inline constexpr std::uint32_t most_block_queries = 32768;

/// Workgroups that keep a device and its memory system busy.
inline std::uint32_t wanted_groups(const Capabilities& capabilities) {
  constexpr std::uint32_t per_multiprocessor = 8;
  constexpr std::uint32_t where_unknown = 1024;
  constexpr std::uint32_t on_host = 16;
  constexpr std::uint32_t per_thread = 4;
  if (capabilities.runs_on_host) return std::max(on_host, capabilities.multiprocessors * per_thread);
  if (capabilities.multiprocessors == 0) return where_unknown;
  return capabilities.multiprocessors * per_multiprocessor;
}

}  // namespace proxel::search
