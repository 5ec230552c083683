#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/matrix.hpp"

namespace proxel::data {

/// The columns of a file, by name or by number.
class Columns {
 public:
  /// @param file   for messages
  /// @param names  as many as `count`, or none
  Columns(std::string file, std::uint64_t count, std::vector<std::string> names = {})
      : file_(std::move(file)), count_(count), names_(std::move(names)) {}

  std::uint64_t count() const { return count_; }
  const std::vector<std::string>& names() const { return names_; }

  /// The column, from 0, that a name, a number from 1 or "last" means; a name comes first.
  /// Throws Error(not_found) that lists the columns there are.
  std::uint64_t find(std::string_view reference) const;

  /// What TableOptions::columns chooses. Throws Error(not_found), and
  /// Error(unsupported) where a column is chosen twice.
  std::vector<std::uint64_t> choose(const std::string& list) const;

 private:
  std::optional<std::uint64_t> find_name(std::string_view name) const;
  [[noreturn]] void fail(std::string_view reference) const;

  std::string file_;
  std::uint64_t count_;
  std::vector<std::string> names_;
};

/// Whether a reference can only be a name: no number, no range, not "last".
bool is_name(std::string_view reference);

/// The references of a list, separated by commas, names in quotation marks if need be.
std::vector<std::string> references(const std::string& list);

/// The chosen columns of a matrix, in the order chosen.
template <typename T>
Matrix<T> select_columns(const Matrix<T>& matrix, const std::vector<std::uint64_t>& columns) {
  Matrix<T> selected(matrix.rows(), columns.size());
  for (std::uint64_t row = 0; row < matrix.rows(); ++row)
    for (std::uint64_t i = 0; i < columns.size(); ++i)
      selected(row, i) = matrix(row, columns[static_cast<std::size_t>(i)]);
  return selected;
}

}  // namespace proxel::data
