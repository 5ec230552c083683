#include "json_output.hpp"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "notes.hpp"

namespace proxel::tool {

nlohmann::ordered_json to_json(const SearchReport& report) {
  const SearchTimes& times = report.times;
  nlohmann::ordered_json json = {{"upload_ms", times.upload_milliseconds},
                                 {"compute_ms", times.compute_milliseconds},
                                 {"readback_ms", times.readback_milliseconds},
                                 {"total_ms", times.total_milliseconds}};
  if (!times.passes.empty()) json["passes"] = to_json(times.passes);
  if (!report.rungs.empty()) json["rungs"] = to_json(report.rungs);
  return json;
}

nlohmann::ordered_json to_json(const std::vector<PassTime>& passes) {
  auto json = nlohmann::ordered_json::array();
  for (const PassTime& pass : passes)
    json.push_back({{"label", pass.label}, {"pass", pass.name}, {"ms", pass.milliseconds}});
  return json;
}

nlohmann::ordered_json to_json(const std::vector<RungCount>& rungs) {
  auto json = nlohmann::ordered_json::array();
  for (const RungCount& rung : rungs) json.push_back({{"rung", rung.rung}, {"queries", rung.queries}});
  return json;
}

nlohmann::ordered_json json_float(float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  // Through text, so that 0.1f is written 0.1 and not 0.10000000149011612.
  return std::stod(fmt::format("{}", value));
}

nlohmann::ordered_json to_json(const Neighbors& neighbors, std::uint64_t first, std::uint64_t count,
                               const AnswerNames& names) {
  auto rows = nlohmann::ordered_json::array();
  for (std::uint64_t row = first; row < first + count; ++row) {
    auto indices = nlohmann::ordered_json::array();
    auto distances = nlohmann::ordered_json::array();
    for (std::uint64_t slot = 0; slot < neighbors.indices.columns(); ++slot) {
      const std::uint32_t index = neighbors.indices(row, slot);
      indices.push_back(index == no_neighbor ? nlohmann::ordered_json() : nlohmann::ordered_json(index));
      distances.push_back(json_float(neighbors.distances(row, slot)));
    }
    rows.push_back({{"query", row}, {"indices", indices}, {"distances", distances}});
    add_names(rows.back(), names, row, indices);
  }
  return rows;
}

nlohmann::ordered_json to_json(const RangeNeighbors& found, std::uint64_t queries, const AnswerNames& names) {
  auto rows = nlohmann::ordered_json::array();
  for (std::uint64_t query = 0; query < queries; ++query) {
    auto distances = nlohmann::ordered_json::array();
    auto indices = nlohmann::ordered_json::array();
    for (std::uint64_t i = found.offsets[query]; i < found.offsets[query + 1]; ++i) {
      indices.push_back(found.indices[i]);
      distances.push_back(json_float(found.distances[i]));
    }
    rows.push_back({{"query", query}, {"count", found.count(query)}, {"indices", indices}, {"distances", distances}});
    add_names(rows.back(), names, query, indices);
  }
  return rows;
}

std::string to_text(const nlohmann::ordered_json& document) {
  // File names and driver texts need not be UTF-8.
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void print(const nlohmann::ordered_json& document) {
  nlohmann::ordered_json with_notes = document;
  add_notes(with_notes);
  fmt::print("{}", to_text(with_notes));
}

}  // namespace proxel::tool
