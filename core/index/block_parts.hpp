#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "index/block_source.hpp"

namespace proxel::index {

/// Rows that pass through the room of a block.
struct BlockRoom {
  std::uint64_t rows = 0;        ///< all of them
  std::uint64_t block_rows = 0;  ///< that there is room for at once
  std::uint64_t row_bytes = 0;
  std::uint64_t alignment = 1;  ///< where a part may begin, BlockSource::alignment()
  bool loads = false;           ///< BlockSource::loads()
};

/// Where parts are smaller than the rest.
struct SmallParts {
  /// The first rows are loaded beside no search, the last are searched beside no load. Smaller parts come first where the device
  /// is the slower of the two, which then begins sooner; elsewhere they come last.
  bool first = false;
  std::uint64_t least_bytes = 0;  ///< of such a part
};

/// Parts that make up all rows, in ascending order and as large as each other where they may overlap: what was planned for one
/// serves all. Where rows are loaded and two parts have room, those that follow each other lie in different halves.
/// @param host_bytes  of queries and answers that pass between host and device for each part
/// @param small       where rows are loaded, the first part or the last two become smaller ones, half as large as the rest. The
///                    two halves of a part lie where it would lie; where they do not fit there, no part becomes smaller.
std::vector<RowPart> block_parts(const BlockRoom& room, std::uint64_t host_bytes, std::optional<SmallParts> small = {});

}  // namespace proxel::index
