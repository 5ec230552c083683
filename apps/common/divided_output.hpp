#pragma once

// What is told of a search that several devices divided, or of which a device did one part after the other.

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "proxel/data.hpp"
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

/// How an index divides its searches.
struct Divided {
  Division division = Division::rows;
  std::vector<ShardInfo> shards = {};  ///< of several devices
  std::uint64_t block_rows = 0;        ///< where rows pass through a device in blocks, those of one at most
  bool widened = false;                ///< and these are of a narrower type, on the device already
  std::uint64_t string_parts = 1;      ///< in which strings pass, at most

  Divided() = default;
  /// Says how an index of any kind divides its searches.
  template <typename AnyIndex>
  explicit Divided(const AnyIndex& index) {
    if constexpr (requires { index.shards(); }) {
      division = index.division();
      shards = index.shards();
    }
    // Narrower rows that are widened all at once do not pass in blocks.
    if constexpr (requires { index.block_rows(); })
      if (index.block_rows() < index.rows()) block_rows = index.block_rows();
    if constexpr (requires { index.storage(); }) widened = index.storage() != ElementType::float32;
    if constexpr (requires { index.parts(); }) string_parts = index.parts();
  }

  /// describe_division() and, where they pass so, "block_rows" or "parts".
  void describe(const SearchReport& report, nlohmann::ordered_json& document) const;
  /// The same as lines of text.
  std::vector<std::string> lines(const SearchReport& report) const;
};

}  // namespace proxel::tool
