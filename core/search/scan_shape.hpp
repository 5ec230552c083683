#pragma once

// Which scans keep all distances of some queries and select from them (scan_listed.cpp): what plans them and what expects
// their times agree on it.

#include <algorithm>
#include <cstdint>

#include "proxel/search.hpp"
#include "search/check.hpp"
#include "search/list_length.hpp"
#include "search/occupancy.hpp"

namespace proxel::search {

/// Queries of a tile of distances, of either width.
inline constexpr std::uint32_t narrow_tile = 64, wide_tile = 128;

/// Whether distances have the numbers of their rows beside them.
inline bool numbers_rows(const SearchDescription& description, std::size_t segments) {
  return description.filter != FilterKind::none || description.continued || segments != 1;
}

/// Queries that are searched together, each of which takes so many bytes of scratch memory: whole tiles where there are
/// several; 0 where there is no room for one.
/// @param tile  narrow_tile or wide_tile
inline std::uint32_t listed_queries(const SearchDescription& description, std::uint64_t query_bytes,
                                    std::uint32_t tile) {
  // Results of a block are counted in 32 bits.
  constexpr std::uint64_t most_results = std::uint64_t{1} << 30;
  const std::uint64_t fitting =
      std::min({description.scratch_limit / 4 * 3 / query_bytes, std::uint64_t{most_block_queries},
                most_results / std::min(description.k, most_results)});
  if (fitting >= description.queries) return description.queries;
  return static_cast<std::uint32_t>(fitting > tile ? fitting / tile * tile : fitting);
}

/// Neighbours up to which lists are sooner than distances that are kept: of more queries than a narrow tile has, of those of one, and of
/// the part of one that there is room for.
inline constexpr std::uint64_t neighbors_of_many = 64, neighbors_of_one_tile = 96, neighbors_of_part = 512;

/// Whether it is sooner to keep the distances of so many queries at once than to find neighbours in lists, on an H200
/// (docs/lab/scan.md).
/// @param rounds  of lists
/// @param numbered  rows are numbered, as some may be passed over, or lie in several segments
/// @param on_host  a processor is the device, where lists of one round are sooner
inline bool lists_distances(const SearchDescription& description, std::uint64_t rounds, std::uint32_t block,
                            bool numbered, bool on_host) {
  // Of few queries a tile computes the distances of 64, which is sooner than reading the rows for each of so many rounds.
  // Distances that are numbered are listed a second time.
  constexpr std::uint64_t worthwhile_rounds = 4;
  if (block == 0) return false;
  if ((description.queries < few_queries || numbered) && rounds < worthwhile_rounds) return false;
  // A block takes whole tiles of queries, however few it has.
  constexpr double worthwhile_waste = 1.5;
  const double tiles = static_cast<double>(divide_up<std::uint64_t>(description.queries, block)) *
                       static_cast<double>(divide_up(block, narrow_tile));
  if (tiles >
      worthwhile_waste * static_cast<double>(rounds * divide_up<std::uint64_t>(description.queries, narrow_tile)))
    return false;
  if (rounds > 1) return true;
  if (on_host) return false;
  if (block < std::min(description.queries, narrow_tile)) return description.k > neighbors_of_part;
  return description.k > (description.queries > narrow_tile ? neighbors_of_many : neighbors_of_one_tile);
}

}  // namespace proxel::search
