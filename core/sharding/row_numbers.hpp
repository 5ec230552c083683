#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "proxel/matrix.hpp"

namespace proxel::sharding {

/// Which numbers the rows of one device have in the whole index. They ascend, so that rows which are equally far
/// have one order there and here.
class RowNumbers {
 public:
  /// The next `count` rows have the numbers from `first` on, which is past all numbers before.
  void append(std::uint64_t first, std::uint64_t count);

  std::uint64_t size() const { return size_; }
  /// The number of a row, which is one of size().
  std::uint32_t number(std::uint64_t row) const;
  /// Rows whose number is at most this.
  std::uint64_t rows_up_to(std::uint64_t number) const;
  /// The row of that number, if it is here.
  std::optional<std::uint32_t> row_of(std::uint64_t number) const;
  /// Of these numbers the rows of those that are here.
  std::vector<std::uint32_t> rows_of(std::span<const std::uint32_t> numbers) const;

  /// Rows that were found become numbers; no_neighbor stays.
  void to_numbers(std::span<std::uint32_t> rows) const;
  /// Of filters of the whole index those of these rows. @return [filters x ceil(size() / 32)]
  Matrix<std::uint32_t> filter(const MatrixView<std::uint32_t>& whole) const;

 private:
  struct Run {
    std::uint64_t row = 0;    // its first
    std::uint64_t first = 0;  // the number of that
    std::uint64_t count = 0;
  };
  const Run& run_of(std::uint64_t row) const;

  std::vector<Run> runs_;
  std::uint64_t size_ = 0;
};

}  // namespace proxel::sharding
