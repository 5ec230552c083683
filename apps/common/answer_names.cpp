#include "answer_names.hpp"

namespace proxel::tool {

void add_name_columns(std::vector<Column>& columns, const RowNames& rows) {
  if (rows.has_ids()) columns.push_back({"id"});
  if (rows.has_labels()) columns.push_back({"label"});
}

void add_name_cells(std::vector<Cell>& cells, const RowNames& rows, std::uint64_t row) {
  if (rows.has_ids()) cells.emplace_back(one_line(rows.ids[row]));
  if (rows.has_labels()) cells.emplace_back(one_line(rows.labels[row]));
}

void add_names(nlohmann::ordered_json& answer, const AnswerNames& names, std::uint64_t query,
               const nlohmann::ordered_json& found) {
  if (names.queries.has_ids()) answer["query_id"] = names.queries.ids[query];
  if (names.queries.has_labels()) answer["query_label"] = names.queries.labels[query];
  const auto of_found = [&](const std::vector<std::string>& texts) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& row : found)
      list.push_back(row.is_null() ? nlohmann::ordered_json()
                                   : nlohmann::ordered_json(texts[row.get<std::uint32_t>()]));
    return list;
  };
  if (names.rows.has_ids()) answer["ids"] = of_found(names.rows.ids);
  if (names.rows.has_labels()) answer["labels"] = of_found(names.rows.labels);
}

}  // namespace proxel::tool
