#include <cmath>

#include "compare/comparison.hpp"
#include "json_output.hpp"

namespace proxel::tool {
namespace {

// Numbers as such, where all labels are numbers.
nlohmann::ordered_json classes_json(const std::vector<std::string>& classes) {
  nlohmann::ordered_json texts = classes, numbers = nlohmann::ordered_json::array();
  for (const std::string& label : classes) {
    const auto number = number_of(label);
    if (!number) return texts;
    numbers.push_back(*number);
  }
  return numbers;
}

nlohmann::ordered_json difference_json(const Difference& difference) {
  nlohmann::ordered_json json = {{"query", difference.query},
                                 {"slot", difference.slot},
                                 {"expected_index", difference.expected_index},
                                 {"index", difference.index},
                                 {"expected_distance", json_float(difference.expected_distance)},
                                 {"distance", json_float(difference.distance)}};
  if (difference.count != difference.expected_count) {
    json["expected_count"] = difference.expected_count;
    json["count"] = difference.count;
  }
  json["slots"] = difference.slots;
  return json;
}

}  // namespace

nlohmann::ordered_json Comparison::json() const {
  static constexpr const char* names[] = {"reference", "identical", "different", "not_supported", "failed"};
  nlohmann::ordered_json document = {
      {"command", "compare"},
      {"what", what},
      {"database", {{"path", database_path}, {"rows", rows}, {"dimensions", dimensions}}},
      {"queries", queries},
      {"metric", distance}};
  if (reach.radius)
    document["radius"] = json_float(*reach.radius);
  else
    document["k"] = reach.k;
  if (!how.empty()) document["how"] = how;
  document["answers"] = nlohmann::ordered_json::array();
  for (const Measured& row : measured) {
    nlohmann::ordered_json entry = {{"device", row.device.id},
                                    {"device_name", row.device.name},
                                    {"method", row.method},
                                    {"outcome", names[static_cast<int>(row.outcome)]}};
    if (row.chosen) entry["chosen"] = true;
    if (!row.reason.empty()) entry["reason"] = row.reason;
    if (row.timed()) {
      const double speed = speed_up(row);
      entry["build_ms"] = row.build;
      entry["upload_ms"] = row.upload;
      entry["compute_ms"] = row.compute;
      entry["readback_ms"] = row.readback;
      entry["total_ms"] = row.total;
      entry["repeats"] = row.repeats;
      entry["queries_per_second"] = queries_per_second(row);
      entry["speed_up"] = std::isnan(speed) ? nlohmann::ordered_json() : nlohmann::ordered_json(speed);
    }
    if (row.timed()) row.divided.describe(row.latest, entry);
    if (row.recall) entry["recall"] = *row.recall;
    if (row.difference) entry["difference"] = difference_json(*row.difference);
    if (!row.passes.empty()) entry["passes"] = to_json(row.passes);
    document["answers"].push_back(entry);
  }
  document["compared"] = compared();
  document["identical"] = count(Measured::Outcome::different) == 0 && compared() > 0;
  document["verdict"] = verdict();
  if (classification)
    document["classification"] = {{"accuracy", classification->accuracy()},
                                  {"correct", classification->correct},
                                  {"majority_share", classification->majority_share()},
                                  {"classes", classes_json(classification->classes)},
                                  {"confusion", classification->confusion}};
  return document;
}

}  // namespace proxel::tool
