#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/data_table.hpp"

namespace proxel::data {

/// Counts the values of a file that binary32 did not hold.
class RoundingCounts {
 public:
  /// @param by_column  whether some columns alone will be asked for
  explicit RoundingCounts(bool by_column) : by_column_(by_column) {}

  /// Begins to count in a matrix whose row 0 is row `first_row` of the file.
  void begin(const Matrix<float>& matrix, std::uint64_t first_row) {
    matrix_ = &matrix;
    first_row_ = first_row;
  }

  /// Looks at `count` stored elements that were converted to `out`, a place in the matrix.
  void look(ElementType type, bool big_endian, const std::byte* stored, std::uint64_t count, const float* out,
            std::uint64_t stride);

  /// The sum over the chosen columns, or over all unless they are counted by column. Its first value is that
  /// of the lowest row.
  Rounding of(const std::vector<std::uint64_t>& columns) const;

 private:
  template <typename Stored>
  void look_as(bool big_endian, const std::byte* stored, std::uint64_t count, const float* out, std::uint64_t stride);

  bool by_column_;
  const Matrix<float>* matrix_ = nullptr;
  std::uint64_t first_row_ = 0;
  std::vector<Rounding> counts_;  // one for each column, or one for all; empty until a value was rounded
};

/// Whether the text of a number says more than the float that it was read as: written
/// with as many digits, the float does not give the number back.
/// @param text  well-formed, as parse_number() takes it
bool is_rounded(std::string_view text, float value);

}  // namespace proxel::data
