#pragma once

#include <nlohmann/json.hpp>

#include "answer_names.hpp"
#include "proxel/index.hpp"
#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// Times of a search: upload, compute, read-back, total; passes and rungs where known.
nlohmann::ordered_json to_json(const SearchReport& report);

/// Passes as [{"label", "pass", "ms"}].
nlohmann::ordered_json to_json(const std::vector<PassTime>& passes);

/// Queries decided per rung as [{"rung", "queries"}].
nlohmann::ordered_json to_json(const std::vector<RungCount>& rungs);

/// Rows first … first + count - 1 as [{"query", "indices", "distances"}].
/// JSON has no infinity and no NaN: those distances are the strings
/// "Infinity", "-Infinity" and "NaN"; the index of an empty slot is null.
/// Names are added as by add_names().
nlohmann::ordered_json to_json(const Neighbors& neighbors, std::uint64_t first, std::uint64_t count,
                               const AnswerNames& names = {});

/// The first queries' neighbours within a radius, as [{"query", "count",
/// "indices", "distances"}].
nlohmann::ordered_json to_json(const RangeNeighbors& found, std::uint64_t queries, const AnswerNames& names = {});

/// A binary32 value by the rule above, with the fewest digits that read back the same.
nlohmann::ordered_json json_float(float value);

/// Prints the document on stdout.
void print(const nlohmann::ordered_json& document);
std::string to_text(const nlohmann::ordered_json& document);

}  // namespace proxel::tool
