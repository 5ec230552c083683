#pragma once

#include "proxel/passes/scan_undecided.h"
#include "proxel/search.hpp"

namespace proxel::search {

/// Queries that a screened search may leave undecided, and what scans them.
/// Addresses are of device memory.
struct UndecidedQueries {
  /// 32-bit: how many are undecided, 3 words, their numbers. The undecided_ticket_bytes(list_count) bytes in front of it are 0.
  std::uint64_t numbers = 0;
  std::uint64_t few = 0;  ///< another such list, the first most_few of which are scanned as well; 0: none
  std::uint32_t most_few = 0;
  std::uint32_t count = 0;    ///< how many there may be of both lists together
  std::uint64_t queries = 0;  ///< values of query 0, row-major
  std::uint64_t indices = 0;  ///< results of query 0
  std::uint64_t distances = 0;
  std::uint64_t filter = 0;         ///< words of the filter; 0: none
  std::uint32_t filter_stride = 0;  ///< words between the filters of queries; 0: shared
  std::uint64_t lists = 0;          ///< clobbered: list_count lists of k keys; with rounds list_count keys more
  std::uint32_t list_count = 1;
  std::uint32_t workgroups = 1;  ///< that share a scan
  std::uint32_t round = 0;       ///< neighbours that a scan finds at a time, whose lists are as long; 0: all k
  /// 32-bit [3], out: how many queries `few` and `numbers` count, and how many of these divide_undecided put there; 0: nothing is told.
  std::uint64_t told = 0;
};
/// Bytes of what is told.
inline constexpr std::uint64_t told_bytes = 12;
/// How many queries have been told of in so many places, one behind the other, of readback memory.
std::uint64_t sum_of_told(const Buffer& told, std::uint64_t places);

/// Width of the square of threads of screen_canonical.
inline constexpr std::uint32_t canonical_width = 16;

/// How many lists a rescue takes, and workgroups.
struct RescueSize {
  std::uint32_t lists = 1;
  std::uint32_t workgroups = 1;
};
/// Lists of k keys in an eighth of the scratch limit.
RescueSize rescue_size(const Device& device, const SearchDescription& description);

/// Bytes of a list of undecided queries and of the tickets in front of it.
constexpr std::uint64_t undecided_bytes(std::uint32_t lists, std::uint64_t queries) {
  return passes::undecided_ticket_bytes(lists) + 16 + queries * 4;
}
/// Makes a list empty, and the tickets in front of it 0.
/// @param list  where it begins in the memory, bytes
void empty_undecided(Recording& recording, const BufferView& memory, std::uint64_t list, std::uint32_t lists);

/// Records the canonical scan of whichever queries turn out to be undecided.
void record_undecided(Recording& recording, const SearchDescription& description, const RowsSegment& segment,
                      const UndecidedQueries& undecided);

}  // namespace proxel::search
