#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "proxel/data.hpp"

namespace proxel::tool {

/// Rows that are made instead of read: values uniform in [0, 1), multiples of 2^-24, that their place and a seed decide,
/// on any machine and whatever part of them is asked for.
struct MadeRows {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t seed = 1;

  /// Writes rows first … first + count - 1, which follow one another.
  void fill(std::uint64_t first, std::uint64_t count, float* to) const;
};

/// Rows of a shape like "200000000x96", rows x columns. Throws Error(invalid_argument) where it is wrong.
MadeRows rows_of_shape(const std::string& shape, std::uint64_t seed);

/// What a name like "made:200000000x96" or "made:10000x96:2", rows x columns and a seed, stands for; nothing where it
/// does not begin so. Throws Error(invalid_argument) where it does and is wrong.
std::optional<MadeRows> made_rows(const std::string& name);

}  // namespace proxel::tool
