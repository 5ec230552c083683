#include "compare/labels.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "format.hpp"
#include "proxel/error.hpp"
#include "seeded.hpp"

namespace proxel::tool {

std::vector<float> take_column(Matrix<float>& matrix, const std::string& column) {
  std::uint64_t taken = matrix.columns() - 1;
  if (column != "last") {
    const auto [end, error] = std::from_chars(column.data(), column.data() + column.size(), taken);
    if (error != std::errc() || end != column.data() + column.size() || taken >= matrix.columns())
      throw Error(ErrorCode::invalid_argument, "--labels",
                  fmt::format("'{}' was given; 'last' or a column 0…{} is allowed", column,
                              matrix.columns() - 1));
  }
  if (matrix.columns() < 2)
    throw Error(ErrorCode::invalid_argument, "--labels",
                "the only column was named, so nothing is left to compare by");
  std::vector<float> labels(matrix.rows());
  Matrix<float> rest(matrix.rows(), matrix.columns() - 1);
  for (std::uint64_t row = 0; row < matrix.rows(); ++row) {
    const float* from = matrix.data() + row * matrix.columns();
    labels[row] = from[taken];
    if (!std::isfinite(labels[row]))
      throw Error(ErrorCode::invalid_argument, "--labels",
                  fmt::format("row {} has the label {}, which is no number", row,
                              as_float(labels[row])));
    float* to = std::copy(from, from + taken, rest.data() + row * rest.columns());
    std::copy(from + taken + 1, from + matrix.columns(), to);
  }
  matrix = std::move(rest);
  return labels;
}

HeldOut hold_out(const Matrix<float>& rows, const std::vector<float>& labels, std::uint64_t count,
                 std::uint64_t seed) {
  if (count == 0 || count >= rows.rows())
    throw Error(ErrorCode::invalid_argument, "--hold-out",
                fmt::format("{} was given; 1…{} of the {} rows can be held out", count,
                            rows.rows() - 1, rows.rows()));
  const auto order = shuffled(rows.rows(), seed);
  const std::uint64_t kept = rows.rows() - count;
  HeldOut split{Matrix<float>(kept, rows.columns()), Matrix<float>(count, rows.columns()), {}, {}};
  for (std::uint64_t position = 0; position < rows.rows(); ++position) {
    const bool query = position >= kept;
    const float* from = rows.data() + order[position] * rows.columns();
    std::copy(from, from + rows.columns(),
              query ? &split.queries(position - kept, 0) : &split.database(position, 0));
    if (!labels.empty())
      (query ? split.query_labels : split.database_labels).push_back(labels[order[position]]);
  }
  return split;
}

void scale_to_range(Matrix<float>& database, Matrix<float>& queries) {
  for (std::uint64_t column = 0; column < database.columns(); ++column) {
    float smallest = std::numeric_limits<float>::infinity();
    float largest = -smallest;
    for (std::uint64_t row = 0; row < database.rows(); ++row) {
      const float value = database(row, column);
      if (!std::isfinite(value)) continue;
      smallest = std::min(smallest, value);
      largest = std::max(largest, value);
    }
    const bool constant = !(largest > smallest);
    const double range = static_cast<double>(largest) - static_cast<double>(smallest);
    for (Matrix<float>* matrix : {&database, &queries})
      for (std::uint64_t row = 0; row < matrix->rows(); ++row) {
        float& value = (*matrix)(row, column);
        if (constant)
          value = 0;
        else
          value = static_cast<float>(
              (static_cast<double>(value) - static_cast<double>(smallest)) / range);
      }
  }
}

double Classification::accuracy() const {
  return queries == 0 ? 0 : static_cast<double>(correct) / static_cast<double>(queries);
}

double Classification::majority_share() const {
  std::uint64_t most = 0;
  for (const auto& row : confusion) {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : row) sum += count;
    most = std::max(most, sum);
  }
  return queries == 0 ? 0 : static_cast<double>(most) / static_cast<double>(queries);
}

Table Classification::table() const {
  std::vector<Column> columns = {{"actual \\ predicted", true}};
  for (const float label : classes) columns.push_back({as_float(label), true});
  columns.push_back({"queries", true});
  columns.push_back({"right", true});
  Table table(columns);
  for (std::size_t actual = 0; actual < classes.size(); ++actual) {
    std::vector<Cell> row = {as_float(classes[actual])};
    std::uint64_t sum = 0;
    for (std::size_t predicted = 0; predicted < classes.size(); ++predicted) {
      const std::uint64_t count = confusion[actual][predicted];
      sum += count;
      row.emplace_back(with_separators(count), actual == predicted ? Style::strong : Style::plain);
    }
    row.emplace_back(with_separators(sum));
    row.emplace_back(sum == 0 ? "–" : fmt::format("{:.1f} %", 100.0 * static_cast<double>(confusion[actual][actual]) / static_cast<double>(sum)));
    table.add(std::move(row));
  }
  return table;
}

Classification classify(const Neighbors& found, const std::vector<float>& database_labels,
                        const std::vector<float>& query_labels) {
  Classification result;
  result.classes = database_labels;
  result.classes.insert(result.classes.end(), query_labels.begin(), query_labels.end());
  std::sort(result.classes.begin(), result.classes.end());
  result.classes.erase(std::unique(result.classes.begin(), result.classes.end()),
                       result.classes.end());
  const std::size_t class_count = result.classes.size();
  const auto class_of = [&](float label) {
    return static_cast<std::size_t>(
        std::lower_bound(result.classes.begin(), result.classes.end(), label) -
        result.classes.begin());
  };
  result.confusion.assign(class_count, std::vector<std::uint64_t>(class_count, 0));
  result.queries = query_labels.size();
  for (std::uint64_t query = 0; query < query_labels.size(); ++query) {
    std::vector<std::uint64_t> votes(class_count, 0);
    for (std::uint64_t slot = 0; slot < found.indices.columns(); ++slot)
      if (const std::uint32_t index = found.indices(query, slot); index != no_neighbor)
        ++votes[class_of(database_labels[index])];
    const std::uint64_t most = *std::max_element(votes.begin(), votes.end());
    // Neighbours are ordered, so the first with the most votes is the nearest of a tie.
    std::size_t predicted = 0;
    for (std::uint64_t slot = 0; slot < found.indices.columns(); ++slot) {
      predicted = class_of(database_labels[found.indices(query, slot)]);
      if (votes[predicted] == most) break;
    }
    const std::size_t actual = class_of(query_labels[query]);
    ++result.confusion[actual][predicted];
    if (actual == predicted) ++result.correct;
  }
  return result;
}

}  // namespace proxel::tool
