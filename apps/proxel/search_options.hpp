#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include "proxel/data.hpp"
#include "proxel/index.hpp"

namespace proxel::tool {

/// Options that search and compare share: what is searched, and how.
struct SearchOptions {
  std::string database;
  std::string queries;
  Metric metric = Metric::l2sq;
  std::uint64_t k = 10;
  ReadOptions database_rows;
  ReadOptions query_rows;
  IndexOptions index;
};

/// @param queries_required  compare can take its queries out of the database
void add_search_options(CLI::App& command, SearchOptions& options, bool queries_required);

// Its parts, for commands that search without separate queries.
void add_metric_options(CLI::App& command, SearchOptions& options);  ///< metric and k
void add_row_options(CLI::App& command, SearchOptions& options);     ///< which database rows
void add_index_options(CLI::App& command, SearchOptions& options);   ///< how the search runs

/// A binary32 matrix from a file; what is at fault is told with the option's name.
Matrix<float> read(const std::string& path, const ReadOptions& rows);

/// Throws Error(invalid_argument) unless database and queries can be searched together.
void check_dimensions(const Matrix<float>& database, const Matrix<float>& queries);

}  // namespace proxel::tool
