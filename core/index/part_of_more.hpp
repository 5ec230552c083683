#pragma once

#include <cstdint>

#include "proxel/index.hpp"

namespace proxel::index {

/// An index of some of the rows that are searched together, whose answers are merged with those of the others. A method
/// that was asked for by name needs enough rows for k. Of a part of more rows it is asked whether all of them are enough,
/// and where the part alone has too few the scan answers for it, to the same bits.
struct PartOfMore {
  /// @param rows  of all parts; to be told again when there is another number of them
  static void tell(Index& part, std::uint64_t rows);
};

}  // namespace proxel::index
