#pragma once

// A screened search by a plan of its own, without an index that chooses.

#include <cstdint>

#include "proxel/matrix.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/screened.hpp"
#include "values.hpp"

namespace proxel::conformance {

/// What was found, and how.
struct ScreenedAnswer {
  Neighbors found;
  bool estimates = false;
  bool half_sums = false;
  std::uint32_t undecided = 0;  // at first
};

/// @param filter  of no effect where the description has no filter
ScreenedAnswer search_screened(Device& device, const SearchDescription& description, ScreenOperand operand,
                               const Data& data, const Matrix<std::uint8_t>& filter);

}  // namespace proxel::conformance
