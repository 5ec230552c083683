#pragma once

// Precision as people and programs read it.

#include <cstdint>

#include <nlohmann/json.hpp>

#include "command_line.hpp"
#include "evaluation/precision.hpp"
#include "table.hpp"

namespace proxel::tool {

/// Which images are looked for.
struct DrawnQueries {
  std::uint64_t count = UINT64_MAX;  ///< all of them
  std::uint64_t seed = 1;
};

/// Adds --queries and --seed.
void add_query_options(CLI::App& command, DrawnQueries& queries);

/// {"queries", "precision": {"at_1", "at_5", "at_10"}, "standard_error", "chance"}; null for what there is none of.
nlohmann::ordered_json to_json(const Precision& precision);
/// [{"class", "images", …}], in the order of the names.
nlohmann::ordered_json classes_json(const PrecisionCount& count);

/// Columns for the cells of precision_cells().
void add_precision_columns(std::vector<Column>& columns);
/// Adds queries, each precision and chance, in percent.
void add_precision_cells(std::vector<Cell>& cells, const Precision& precision);
/// A row per class and one for all. @param things  that are counted, "images"
Table precision_table(const PrecisionCount& count, const std::string& things);
/// "± 1.2, 0.8 and 0.7 percentage points": the standard errors of the means.
std::string standard_errors(const Precision& precision);

}  // namespace proxel::tool
