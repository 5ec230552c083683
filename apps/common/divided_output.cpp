#include "divided_output.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "format.hpp"
#include "proxel/screened.hpp"

namespace proxel::tool {

double milliseconds_of(const SearchReport& report, std::size_t i) {
  return i < report.devices.size() ? report.devices[i].milliseconds : 0;
}

namespace {

// A small share of whole tiles of rows may come to none.
bool has_nothing(Division division, const ShardInfo& shard) {
  return division == Division::rows ? shard.rows == 0 : shard.share == 0;
}

}  // namespace

void describe_division(Division division, const std::vector<ShardInfo>& shards, const SearchReport& report,
                       nlohmann::ordered_json& document) {
  if (shards.size() < 2) return;
  document["divided"] = to_string(division);
  auto& devices = document["devices"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < shards.size(); ++i)
    devices.push_back({{"id", shards[i].device},
                       {"share", shards[i].share},
                       {"rows", shards[i].rows},
                       {"compute_ms", milliseconds_of(report, i)}});
}

std::string division_line(Division division, const std::vector<ShardInfo>& shards, const SearchReport& report) {
  if (shards.size() < 2) return {};
  std::vector<std::string> each;
  for (std::size_t i = 0; i < shards.size(); ++i)
    each.push_back(fmt::format("{} {} % {}", shards[i].device, significant(100 * shards[i].share),
                               has_nothing(division, shards[i])
                                   ? fmt::format("(no {})", to_string(division))
                                   : fmt::format("in {} ms", significant(milliseconds_of(report, i)))));
  return fmt::format("{} divided: {}", to_string(division), fmt::join(each, ", "));
}

void Divided::describe(const SearchReport& report, nlohmann::ordered_json& document) const {
  describe_division(division, shards, report, document);
  if (block_rows != 0) document["block_rows"] = block_rows;
  if (string_parts > 1) document["parts"] = string_parts;
}

std::vector<std::string> Divided::lines(const SearchReport& report) const {
  std::vector<std::string> lines = {division_line(division, shards, report)};
  const bool by_codes = !report.rungs.empty() &&
                        std::all_of(report.rungs.begin(), report.rungs.end(),
                                    [](const RungCount& rung) { return rung.rung == to_string(ScreenOperand::codes); });
  if (block_rows != 0 && by_codes)
    lines.emplace_back("the rows stayed in host memory, and 8-bit codes of all of them on the device answered");
  else if (block_rows != 0 && widened)
    lines.push_back(fmt::format("where a search takes the rows as float32 they are widened in blocks of up to {}",
                                with_separators(block_rows)));
  else if (block_rows != 0)
    lines.push_back(fmt::format("the search passed over the rows in blocks of up to {}", with_separators(block_rows)));
  if (string_parts > 1)
    lines.push_back(fmt::format("the search passed over the words in up to {} parts", string_parts));
  std::erase(lines, "");
  return lines;
}

}  // namespace proxel::tool
