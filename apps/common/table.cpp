#include "table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "format.hpp"

namespace proxel::tool {

void Table::add(std::vector<Cell> row) {
  row.resize(columns_.size(), Cell(""));
  rows_.push_back(std::move(row));
}

void Table::print() const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    std::size_t width = display_width(columns_[column].heading);
    for (const auto& row : rows_) width = std::max(width, display_width(row[column].text));
    widths.push_back(width);
  }
  const auto print_row = [&](const std::vector<Cell>& row) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      const Cell& cell = row[column];
      const std::string padding(widths[column] - display_width(cell.text), ' ');
      const bool last = column + 1 == row.size();
      if (columns_[column].number) fmt::print("{}", padding);
      fmt::print("{}", styled(cell.style, cell.text));
      if (!columns_[column].number && !last) fmt::print("{}", padding);
      fmt::print("{}", last ? "\n" : "  ");
    }
  };
  std::vector<Cell> headings;
  for (const Column& column : columns_) headings.emplace_back(column.heading, Style::strong);
  print_row(headings);
  for (const auto& row : rows_) print_row(row);
}

}  // namespace proxel::tool
