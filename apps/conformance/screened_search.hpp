#pragma once

// A screened search by a plan of its own, without an index that chooses.

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "case.hpp"
#include "proxel/matrix.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/screened.hpp"
#include "row_filter.hpp"
#include "values.hpp"

namespace proxel::conformance {

/// What was found, and how.
struct ScreenedAnswer {
  Neighbors found;
  bool estimates = false;
  bool half_sums = false;
  std::uint32_t undecided = 0;          // at first
  std::array<std::uint32_t, 3> told{};  // as ScreenedPlan::record tells
};

/// @param filter  of no effect where the description has no filter
ScreenedAnswer search_screened(Device& device, const SearchDescription& description, ScreenOperand operand,
                               const Data& data, const Matrix<std::uint8_t>& filter);

/// What a case searches: for each query or for all, a filter leaves every other row by chance, or as the pattern says.
struct ScreenedQuestion {
  std::uint32_t n, q, k;
  Metric metric;
  FilterKind filter = FilterKind::none;
  FilterPattern pattern = FilterPattern::half;
};
/// @param filter  of that question
/// @param expected  what brute force finds
using JudgeScreened =
    std::function<Verdict(Device&, const Data& data, const Matrix<std::uint8_t>& filter, const Neighbors& expected)>;
/// Adds a case, whose name says as well what filter it has.
void add_screened(Cases& cases, const std::string& name, bool quick, const ScreenedQuestion& asked,
                  std::function<Data(std::uint64_t seed)> make, JudgeScreened judge);

}  // namespace proxel::conformance
