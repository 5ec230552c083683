#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// A borrowed two-dimensional array: element (row, column) lies at
/// data[row * row_stride + column * column_stride]. Strides count elements.
/// The memory belongs to the caller and must outlive the view.
template <typename T>
struct MatrixView {
  const T* data = nullptr;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t row_stride = 0;
  std::uint64_t column_stride = 1;

  MatrixView() = default;
  /// Contiguous row-major data.
  MatrixView(const T* first, std::uint64_t row_count, std::uint64_t column_count)
      : data(first), rows(row_count), columns(column_count), row_stride(column_count) {}
  MatrixView(const T* first, std::uint64_t row_count, std::uint64_t column_count, std::uint64_t stride_between_rows,
             std::uint64_t stride_between_columns)
      : data(first),
        rows(row_count),
        columns(column_count),
        row_stride(stride_between_rows),
        column_stride(stride_between_columns) {}

  const T& operator()(std::uint64_t row, std::uint64_t column) const {
    return data[row * row_stride + column * column_stride];
  }
  /// Rows first … first + count - 1 of this view; the caller keeps them in range.
  MatrixView slice(std::uint64_t first, std::uint64_t count) const {
    return {data + first * row_stride, count, columns, row_stride, column_stride};
  }
};

/// An owned, contiguous, row-major two-dimensional array.
template <typename T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::uint64_t rows, std::uint64_t columns)
      : rows_(rows), columns_(columns), values_(static_cast<std::size_t>(rows * columns)) {}

  std::uint64_t rows() const { return rows_; }
  std::uint64_t columns() const { return columns_; }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  T& operator()(std::uint64_t row, std::uint64_t column) { return values_[row * columns_ + column]; }
  const T& operator()(std::uint64_t row, std::uint64_t column) const { return values_[row * columns_ + column]; }
  MatrixView<T> view() const { return {values_.data(), rows_, columns_}; }

  bool operator==(const Matrix&) const = default;

 private:
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  std::vector<T> values_;
};

}  // namespace proxel
PROXEL_PUBLIC_END
