#include "scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace proxel::tool {
namespace {

struct ScaledColumn {
  double count = 0;
  double sum = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  double squares = 0;  // of the differences from the mean
};

}  // namespace

Scaling::Scaling(const Matrix<float>& fitted_to, Scale scale)
    : origin_(fitted_to.columns(), 0.0), unit_(fitted_to.columns(), 1.0) {
  if (scale == Scale::none) return;
  std::vector<ScaledColumn> columns(fitted_to.columns());
  const auto each = [&](const auto& action) {
    for (std::uint64_t row = 0; row < fitted_to.rows(); ++row)
      for (std::uint64_t i = 0; i < columns.size(); ++i)
        if (const float value = fitted_to(row, i); std::isfinite(value)) action(columns[i], static_cast<double>(value));
  };
  each([](ScaledColumn& column, double value) {
    ++column.count;
    column.sum += value;
    column.smallest = std::min(column.smallest, value);
    column.largest = std::max(column.largest, value);
  });
  if (scale == Scale::standard)
    each([](ScaledColumn& column, double value) {
      const double difference = value - column.sum / column.count;
      column.squares += difference * difference;
    });
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ScaledColumn& column = columns[i];
    const bool varies = column.largest > column.smallest;
    origin_[i] = scale == Scale::minmax ? column.smallest : column.sum / column.count;
    unit_[i] = !varies                  ? 0
               : scale == Scale::minmax ? column.largest - column.smallest
                                        : std::sqrt(column.squares / column.count);
  }
}

void Scaling::apply(Matrix<float>& matrix) const {
  for (std::uint64_t row = 0; row < matrix.rows(); ++row)
    for (std::uint64_t column = 0; column < matrix.columns(); ++column) {
      float& value = matrix(row, column);
      value = unit_[column] == 0 ? 0.0f
                                 : static_cast<float>((static_cast<double>(value) - origin_[column]) / unit_[column]);
    }
}

std::string_view describe(Scale scale) {
  switch (scale) {
    case Scale::none:
      return "";
    case Scale::minmax:
      return "Every dimension was mapped to [0, 1] by the database's range.";
    case Scale::standard:
      return "Every dimension was mapped to mean 0 and standard deviation 1 by the database's values.";
  }
  return "";
}

}  // namespace proxel::tool
