#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "command_line.hpp"
#include "proxel/matrix.hpp"
#include "proxel/metric.hpp"
#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// Adds --filter.
void add_filter_option(CLI::App& command, std::string& path);

/// The words of SearchOptions::filter out of a file that says 0 or another
/// number for every row: n values for all queries, or [queries x n]; empty where
/// no file was named. Throws Error(invalid_argument) where it has another shape.
Matrix<std::uint32_t> read_filter(const std::string& path, std::uint64_t rows, std::uint64_t queries);

/// Where the next page continues: the last neighbour of every query, as
/// [{"query", "index", "distance"}] with the numbers of to_json().
nlohmann::ordered_json next_page(const Neighbors& found);

/// The pairs, [queries x 1], of a document that `proxel search --json` printed.
/// Throws Error(not_found | malformed_file | invalid_argument), the last where it says that it is a page of another
/// search: of another metric, or of another number of queries or rows.
Neighbors read_next_page(const std::string& path, std::uint64_t queries, std::uint64_t rows, Metric metric);

}  // namespace proxel::tool
