#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "file_state.hpp"
#include "groundtruth/row_source.hpp"
#include "search_options.hpp"

namespace proxel::tool {

/// What a run is of: the files, by size, time of change and a checksum of samples (of the queries' values: of all), which
/// rows of them, and every option that changes the answer. Runs of the same may go on with each other's work.
/// @param database  the state of its file before it was opened
nlohmann::json identity_of(const SearchOptions& options, const std::optional<FileState>& database,
                           const RowSource& rows, const Matrix<float>& queries);

/// What differs, in words: "database.bytes was 4096, is 8192"; empty where nothing does.
std::string difference(const nlohmann::json& before, const nlohmann::json& now);

}  // namespace proxel::tool
