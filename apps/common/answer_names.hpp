#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "row_names.hpp"
#include "table.hpp"

namespace proxel::tool {

/// What the files call the queries of a search and the rows that are found.
struct AnswerNames {
  RowNames queries;
  RowNames rows;
};

/// Columns for the ids and labels that there are.
void add_name_columns(std::vector<Column>& columns, const RowNames& rows);
/// Their cells for a row.
void add_name_cells(std::vector<Cell>& cells, const RowNames& rows, std::uint64_t row);

/// Adds "query_id" and "query_label" to a query's answer, "ids" and "labels" of what it
/// found, as far as there are any. Bytes that are not UTF-8 are replaced where the
/// document is printed.
/// @param found  indices of rows; null for none, which becomes null
void add_names(nlohmann::ordered_json& answer, const AnswerNames& names, std::uint64_t query,
               const nlohmann::ordered_json& found);

}  // namespace proxel::tool
