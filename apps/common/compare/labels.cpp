#include "compare/labels.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "format.hpp"
#include "proxel/error.hpp"
#include "seeded.hpp"

namespace proxel::tool {

std::optional<double> number_of(const std::string& label) {
  double number = 0;
  const char* const end = label.data() + label.size();
  const auto [last, error] = std::from_chars(label.data(), end, number);
  if (error != std::errc() || last != end) return std::nullopt;
  return number;
}

namespace {

bool all_are_numbers(const std::vector<std::string>& labels) {
  return std::all_of(labels.begin(), labels.end(),
                     [](const std::string& label) { return number_of(label).has_value(); });
}

}  // namespace

void make_classes(const std::vector<std::vector<std::string>*>& both) {
  for (const auto* labels : both)
    for (std::size_t row = 0; row < labels->size(); ++row) {
      const std::string& label = (*labels)[row];
      const auto number = number_of(label);
      if (label.empty() || (number && !std::isfinite(*number)))
        throw Error(ErrorCode::invalid_argument, "--labels",
                    fmt::format("row {} has {}", row,
                                label.empty() ? "no label" : fmt::format("the label {}, which is no number", label)));
    }
  if (!std::all_of(both.begin(), both.end(), [](const auto* labels) { return all_are_numbers(*labels); })) return;
  for (auto* labels : both)
    for (std::string& label : *labels) label = fmt::format("{}", *number_of(label));
}

HeldOut hold_out(const Matrix<float>& rows, const std::vector<std::string>& labels, std::uint64_t count,
                 std::uint64_t seed) {
  if (count == 0 || count >= rows.rows())
    throw Error(ErrorCode::invalid_argument, "--hold-out",
                fmt::format("{} was given; 1…{} of the {} rows can be held out", count, rows.rows() - 1, rows.rows()));
  const auto order = shuffled(rows.rows(), seed);
  const std::uint64_t kept = rows.rows() - count;
  HeldOut split{Matrix<float>(kept, rows.columns()), Matrix<float>(count, rows.columns()), {}, {}};
  for (std::uint64_t position = 0; position < rows.rows(); ++position) {
    const bool query = position >= kept;
    const float* from = rows.data() + order[position] * rows.columns();
    std::copy(from, from + rows.columns(), query ? &split.queries(position - kept, 0) : &split.database(position, 0));
    if (!labels.empty()) (query ? split.query_labels : split.database_labels).push_back(labels[order[position]]);
  }
  return split;
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
  for (const std::string& label : classes) columns.push_back({label, true});
  columns.push_back({"queries", true});
  columns.push_back({"right", true});
  Table table(columns);
  for (std::size_t actual = 0; actual < classes.size(); ++actual) {
    std::vector<Cell> row = {classes[actual]};
    std::uint64_t sum = 0;
    for (std::size_t predicted = 0; predicted < classes.size(); ++predicted) {
      const std::uint64_t count = confusion[actual][predicted];
      sum += count;
      row.emplace_back(with_separators(count), actual == predicted ? Style::strong : Style::plain);
    }
    row.emplace_back(with_separators(sum));
    row.emplace_back(sum == 0 ? "–"
                              : fmt::format("{:.1f} %", 100.0 * static_cast<double>(confusion[actual][actual]) /
                                                            static_cast<double>(sum)));
    table.add(std::move(row));
  }
  return table;
}

Classification classify(const Neighbors& found, const std::vector<std::string>& database_labels,
                        const std::vector<std::string>& query_labels) {
  Classification result;
  result.classes = database_labels;
  result.classes.insert(result.classes.end(), query_labels.begin(), query_labels.end());
  const bool numbers = all_are_numbers(result.classes);
  const auto before = [numbers](const std::string& a, const std::string& b) {
    return numbers ? *number_of(a) < *number_of(b) : a < b;
  };
  std::sort(result.classes.begin(), result.classes.end(), before);
  result.classes.erase(std::unique(result.classes.begin(), result.classes.end()), result.classes.end());
  const std::size_t class_count = result.classes.size();
  const auto class_of = [&](const std::string& label) {
    return static_cast<std::size_t>(std::lower_bound(result.classes.begin(), result.classes.end(), label, before) -
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
