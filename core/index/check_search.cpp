#include "index/check_search.hpp"

#include <fmt/format.h>

namespace proxel::index {

void check_options(const SearchOptions& options, std::uint64_t queries, std::uint64_t rows) {
  if (!options.self.empty() && options.self.size() != queries)
    throw Error(ErrorCode::invalid_argument, "self",
                fmt::format("{} rows were given for {} queries", options.self.size(), queries));
  const MatrixView<std::uint32_t>& filter = options.filter;
  const std::uint64_t words = filter_words(rows);
  if (filter.data && (filter.columns != words || (filter.rows != 1 && filter.rows != queries)))
    throw Error(ErrorCode::invalid_argument, "filter",
                fmt::format("{} x {} words were given; 1 x {} or, for one per query, {} x {} are "
                            "allowed",
                            filter.rows, filter.columns, words, queries, words));
  if (!options.after) return;
  const Neighbors& after = *options.after;
  if (after.indices.rows() != queries || after.indices.columns() == 0 || after.distances.rows() != queries ||
      after.distances.columns() != after.indices.columns())
    throw Error(
        ErrorCode::invalid_argument, "after",
        fmt::format("indices of {} x {} and distances of {} x {} were given for {} queries", after.indices.rows(),
                    after.indices.columns(), after.distances.rows(), after.distances.columns(), queries));
}

void check_queries(const MatrixView<float>& queries, std::uint32_t dimensions) {
  if (queries.rows != 0 && queries.columns != dimensions)
    throw Error(ErrorCode::invalid_argument, "queries",
                fmt::format("have {} dimensions, the database has {}", queries.columns, dimensions));
  if (queries.rows != 0 && !queries.data) throw Error(ErrorCode::invalid_argument, "queries", "is a null pointer");
}

void check_added(const MatrixView<float>& rows, std::uint32_t dimensions) {
  if (rows.rows != 0 && (rows.columns != dimensions || !rows.data))
    throw Error(ErrorCode::invalid_argument, "rows",
                rows.data ? fmt::format("have {} dimensions, the index has {}", rows.columns, dimensions)
                          : "is a null pointer");
}

void check_run(std::uint64_t first, std::uint64_t count, std::uint64_t rows) {
  if (first > rows || count > rows - first)
    throw Error(ErrorCode::invalid_argument, "rows",
                fmt::format("{} rows from row {} on were asked for, there are {}", count, first, rows));
}

}  // namespace proxel::index
