#pragma once

// What the contract says of selecting from rows of values. Like oracle.hpp it
// shares no code with the library.

#include <cstdint>
#include <string>
#include <vector>

#include "random.hpp"

namespace proxel::conformance {

/// Kinds of rows, each chosen for what goes wrong with it.
enum class RowKind {
  random,      ///< uniform in [-1, 1)
  ties,        ///< -2 … 2
  equal,       ///< one value: the column alone decides
  zeros,       ///< -0 and +0, now and then a one
  specials,    ///< infinities and NaN of either sign among others
  nan,         ///< nothing but NaN in most places
  ascending,   ///< sorted; sampling sees the smallest first
  descending,  ///< sorted; every value is a new smallest
  blocks,      ///< the smallest values stand in one stretch of columns
  periodic,    ///< the smallest values stand a power of two apart
};

inline constexpr RowKind all_row_kinds[] = {
    RowKind::random, RowKind::ties,      RowKind::equal,      RowKind::zeros,  RowKind::specials,
    RowKind::nan,    RowKind::ascending, RowKind::descending, RowKind::blocks, RowKind::periodic};

const char* to_string(RowKind kind);

/// Values of a row of `columns` columns.
void fill_row(RowKind kind, std::uint64_t columns, Random& random, float* values);

struct Selected {
  std::vector<std::uint32_t> indices;  ///< [k]
  std::vector<float> values;           ///< [k]
};

/// The k first of one row in the order (value, column), padded.
/// @param payload  [columns] returned in place of the columns; may be null
Selected select_by_oracle(const float* values, std::uint64_t columns, std::uint64_t k, bool largest_first,
                          const std::uint32_t* payload);

}  // namespace proxel::conformance
