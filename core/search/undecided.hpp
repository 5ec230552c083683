#pragma once

#include "proxel/search.hpp"

namespace proxel::search {

/// Queries that a screened search may leave undecided, and what scans them.
/// Addresses are of device memory.
struct UndecidedQueries {
  std::uint64_t numbers = 0;  ///< 32-bit: how many are undecided, 3 words, their numbers
  std::uint64_t few = 0;      ///< another such list, the first most_few of which are scanned as well; 0: none
  std::uint32_t most_few = 0;
  std::uint32_t count = 0;    ///< how many there may be of both lists together
  std::uint64_t queries = 0;  ///< values of query 0, row-major
  std::uint64_t indices = 0;  ///< results of query 0
  std::uint64_t distances = 0;
  std::uint64_t filter = 0;         ///< words of the filter; 0: none
  std::uint32_t filter_stride = 0;  ///< words between the filters of queries; 0: shared
  std::uint64_t lists = 0;          ///< clobbered: list_count lists of k keys
  std::uint32_t list_count = 1;
  std::uint32_t workgroups = 1;  ///< that share a scan
  std::uint32_t round = 0;       ///< neighbours that a scan finds at a time, whose lists are as long; 0: all k
  std::uint64_t after = 0;       ///< where there are several rounds, clobbered: list_count keys
};

/// Width of the square of threads of screen_canonical.
inline constexpr std::uint32_t canonical_width = 16;

/// How many lists a rescue takes, and workgroups.
struct RescueSize {
  std::uint32_t lists = 1;
  std::uint32_t workgroups = 1;
};
/// Lists of k keys in an eighth of the scratch limit.
RescueSize rescue_size(const Device& device, const SearchDescription& description);

/// Records the canonical scan of whichever queries turn out to be undecided.
void record_undecided(Recording& recording, const SearchDescription& description, const RowsSegment& segment,
                      const UndecidedQueries& undecided);

}  // namespace proxel::search
