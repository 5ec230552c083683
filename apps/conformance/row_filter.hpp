#pragma once

// Filters over the rows of a case, and their words in memory.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/matrix.hpp"

namespace proxel::conformance {

/// Which rows a filter allows.
enum class FilterPattern {
  all,
  none,
  alternating,  ///< every second row
  half,         ///< each row with a chance of one half
  sparse,       ///< one row of fifty
  last,         ///< the last row alone
  counted,      ///< of queries in turn none, one, k - 1, k and all rows, and half of them; k is the filter's
};
inline constexpr FilterPattern all_filter_patterns[] = {FilterPattern::all,         FilterPattern::none,
                                                        FilterPattern::alternating, FilterPattern::half,
                                                        FilterPattern::sparse,      FilterPattern::last};

std::string_view to_string(FilterPattern pattern);

/// What a case filters by.
struct FilterChoice {
  bool given = false;
  FilterPattern pattern = FilterPattern::all;
  bool per_query = false;
  std::uint64_t k = 1;  ///< of FilterPattern::counted

  /// ",filter=half", ",filters=half" for one per query, or nothing.
  std::string name() const;
};

/// 1 where a row is allowed, [1 x n] or [q x n]; empty without a filter.
Matrix<std::uint8_t> make_filter(const FilterChoice& choice, std::uint64_t n, std::uint64_t q, std::uint64_t seed);

/// The same as 32-bit words, each row of the filter beginning a new word. Row r
/// is bit first_index + r; the bits before and behind the rows are set, so that
/// a kernel that takes them for rows' is seen.
std::vector<std::uint32_t> words_of(const Matrix<std::uint8_t>& filter, std::uint64_t first_index = 0);

}  // namespace proxel::conformance
