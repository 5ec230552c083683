#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "proxel/matrix.hpp"

namespace proxel::index {

/// Which rows of an index have not been removed. Takes a bit per row, once one has.
class LiveRows {
 public:
  explicit LiveRows(std::uint64_t rows) : rows_(rows) {}
  /// As words() of another said.
  LiveRows(std::uint64_t rows, std::vector<std::uint32_t> words);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t removed() const { return removed_; }
  bool contains(std::uint64_t row) const { return removed_ == 0 || (words_[row / 32] >> (row % 32) & 1u) != 0; }
  /// ceil(rows / 32) words, in which the bits of live rows are set and no others; none where no row has been removed.
  std::vector<std::uint32_t> words() const;
  /// Rows behind those that are there.
  void append(std::uint64_t rows);
  /// Returns how many of them were there. All are below rows().
  std::uint64_t remove(std::span<const std::uint32_t> rows);
  /// The filter of a search: the words of the live rows, [1 x ceil(rows / 32)], or
  /// where `wanted` has data what both allow, with as many rows as that.
  Matrix<std::uint32_t> filter(const MatrixView<std::uint32_t>& wanted) const;

 private:
  std::uint64_t rows_;
  std::uint64_t removed_ = 0;
  std::vector<std::uint32_t> words_;  // empty as long as no row has been removed
};

}  // namespace proxel::index
