#pragma once

// What is told of a search that several devices divided.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "proxel/division.hpp"
#include "proxel/report.hpp"

namespace proxel::tool {

/// How long a device, or a process, took.
double milliseconds_of(const SearchReport& report, std::size_t i);

/// Of several devices: writes how they were "divided" and "devices": what each had and how long it took.
void describe_division(Division division, const std::vector<ShardInfo>& shards, const SearchReport& report,
                       nlohmann::ordered_json& document);
/// The same as a line of text; empty of one device.
std::string division_line(Division division, const std::vector<ShardInfo>& shards, const SearchReport& report);

/// The same of an index over several devices.
template <typename Sharded>
void describe_division(const Sharded& index, const SearchReport& report, nlohmann::ordered_json& document) {
  describe_division(index.division(), index.shards(), report, document);
}
template <typename Sharded>
std::string division_line(const Sharded& index, const SearchReport& report) {
  return division_line(index.division(), index.shards(), report);
}

}  // namespace proxel::tool
