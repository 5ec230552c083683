#pragma once

#include <string>
#include <vector>

#include "console.hpp"

namespace proxel::tool {

struct Cell {
  std::string text;
  Style style = Style::plain;

  Cell(std::string value) : text(std::move(value)) {}
  Cell(const char* value) : text(value) {}
  Cell(std::string value, Style of) : text(std::move(value)), style(of) {}
};

struct Column {
  std::string heading;
  bool number = false;  ///< aligned to the right
};

/// Rows under headings, for a terminal and for a report.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// @param row  one cell per column; missing ones stay empty
  void add(std::vector<Cell> row);

  /// Prints the table on stdout, with two spaces between columns.
  void print() const;
  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<std::vector<Cell>>& rows() const { return rows_; }

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace proxel::tool
