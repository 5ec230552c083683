#include "narrowing.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "input.hpp"
#include "json_output.hpp"
#include "proxel/data.hpp"
#include "proxel/search.hpp"

namespace proxel::tool {
namespace {

[[noreturn]] void malformed(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::malformed_file, path, why + "; what 'proxel search --json' prints is expected");
}

float float_of(const std::string& path, const nlohmann::json& value) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (value.is_number()) return value.get<float>();
  if (value == "Infinity") return infinity;
  if (value == "-Infinity") return -infinity;
  if (value == "NaN") return std::numeric_limits<float>::quiet_NaN();
  malformed(path, fmt::format("{} is no distance", value.dump()));
}

std::uint32_t index_of(const std::string& path, const nlohmann::json& value) {
  if (value.is_null()) return no_neighbor;
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= no_neighbor)
    malformed(path, fmt::format("{} is no index of a row", value.dump()));
  return value.get<std::uint32_t>();
}

}  // namespace

void add_filter_option(CLI::App& command, std::string& path) {
  command
      .add_option("--filter", path,
                  "File of numbers, one for each database row that is read: rows with 0 are never "
                  "found. As many columns as rows and a line per query: one filter per query")
      ->type_name("FILE");
}

Matrix<std::uint32_t> read_filter(const std::string& path, std::uint64_t rows, std::uint64_t queries) {
  if (path.empty()) return {};
  const Matrix<float> read = read_rows(path, {}).rows;
  MatrixView<float> allowed = read.view();
  // One number a line is as good as all in one line.
  if (allowed.columns == 1 && allowed.rows == rows) allowed = {read.data(), 1, rows};
  if (allowed.columns != rows || (allowed.rows != 1 && allowed.rows != queries))
    throw Error(ErrorCode::invalid_argument, "--filter",
                fmt::format("{} holds {} x {} numbers; {} for all queries or, for one filter per "
                            "query, {} x {} are expected",
                            path, read.rows(), read.columns(), rows, queries, rows));
  Matrix<std::uint32_t> words(allowed.rows, filter_words(rows));
  for (std::uint64_t query = 0; query < allowed.rows; ++query)
    for (std::uint64_t row = 0; row < rows; ++row) {
      if (std::isnan(allowed(query, row)))
        throw Error(ErrorCode::invalid_argument, "--filter",
                    fmt::format("{} holds NaN for row {}{}, which neither lets it be found nor not", path, row,
                                allowed.rows > 1 ? fmt::format(" and query {}", query) : ""));
      if (allowed(query, row) != 0) words(query, row / 32) |= 1u << row % 32;
    }
  return words;
}

nlohmann::ordered_json next_page(const Neighbors& found) {
  auto pairs = nlohmann::ordered_json::array();
  const std::uint64_t last = found.indices.columns() - 1;
  for (std::uint64_t query = 0; query < found.indices.rows(); ++query) {
    const std::uint32_t index = found.indices(query, last);
    pairs.push_back({{"query", query},
                     {"index", index == no_neighbor ? nlohmann::ordered_json() : nlohmann::ordered_json(index)},
                     {"distance", json_float(found.distances(query, last))}});
  }
  return pairs;
}

Neighbors read_next_page(const std::string& path, std::uint64_t queries, std::uint64_t rows, Metric metric) {
  std::error_code missing;
  if (std::filesystem::is_directory(path, missing)) throw Error(ErrorCode::input_output, path, "is a folder");
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::not_found, path, "could not be opened");
  const nlohmann::json document = nlohmann::json::parse(file, nullptr, false);
  if (document.is_discarded()) malformed(path, "is no JSON");
  if (!document.is_object() || !document.contains("next") || !document["next"].is_array())
    malformed(path, "has no list named 'next'");
  const nlohmann::json& pairs = document["next"];
  const auto refuse_other = [&](const char* what, const nlohmann::json& there, const nlohmann::json& here) {
    if (!there.is_null() && there != here)
      throw Error(ErrorCode::invalid_argument, "--after",
                  fmt::format("{} is a page of another search: its {} {}, this one's {}", path, what, there.dump(),
                              here.dump()));
  };
  refuse_other("metric is", document.value("metric", nlohmann::json()), to_string(metric));
  refuse_other("rows are", document.value(nlohmann::json::json_pointer("/database/rows"), nlohmann::json()), rows);
  if (pairs.size() != queries)
    throw Error(ErrorCode::invalid_argument, "--after",
                fmt::format("{} is about {} queries, {} were given", path, pairs.size(), queries));
  Neighbors after{Matrix<std::uint32_t>(queries, 1), Matrix<float>(queries, 1)};
  for (std::uint64_t query = 0; query < queries; ++query) {
    const nlohmann::json& pair = pairs[query];
    if (!pair.is_object() || !pair.contains("index") || !pair.contains("distance"))
      malformed(path, fmt::format("'next' of query {} has no index and distance", query));
    if (pair.contains("query") && pair["query"] != query)
      malformed(path, fmt::format("'next' is of query {} where {} is expected", pair["query"].dump(), query));
    after.indices(query, 0) = index_of(path, pair["index"]);
    after.distances(query, 0) = float_of(path, pair["distance"]);
  }
  return after;
}

}  // namespace proxel::tool
