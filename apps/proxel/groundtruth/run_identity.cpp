#include "groundtruth/run_identity.hpp"

#include <chrono>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

namespace proxel::tool {
namespace {

std::uint32_t add_to(std::uint32_t crc, const void* bytes, std::size_t count) {
  return static_cast<std::uint32_t>(crc32_z(crc, static_cast<const Bytef*>(bytes), count));
}

nlohmann::json identity_of_file(const std::string& path, const std::optional<FileState>& state,
                                const ReadOptions& rows) {
  nlohmann::json file = {{"first row", rows.first_row}};
  if (!state) {
    file["name"] = path;
    return file;
  }
  const std::chrono::nanoseconds written(state->written);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(written);
  file["bytes"] = state->bytes;
  file["changed"] = fmt::format("{}.{:09}", seconds.count(), (written - seconds).count());
  file["checksum of samples"] = state->checksum;
  file["part"] = path.substr(state->path.size());
  return file;
}

std::string shown(const nlohmann::json& value) { return value.is_null() ? "nothing" : value.dump(); }

void compare(const std::string& name, const nlohmann::json& before, const nlohmann::json& now,
             std::vector<std::string>& differences) {
  if (before.is_object() && now.is_object()) {
    nlohmann::json both = before;
    both.update(now);
    for (const auto& [key, value] : both.items())
      compare(name.empty() ? key : name + "." + key, before.value(key, nlohmann::json()),
              now.value(key, nlohmann::json()), differences);
    return;
  }
  if (before != now) differences.push_back(fmt::format("{} was {}, is {}", name, shown(before), shown(now)));
}

}  // namespace

nlohmann::json identity_of(const SearchOptions& options, const std::optional<FileState>& database,
                           const RowSource& rows, const Matrix<float>& queries) {
  nlohmann::json run = {{"metric", to_string(options.metric)},
                        {"k", options.k},
                        {"database", identity_of_file(options.database, database, options.database_rows)},
                        {"queries", {{"rows", queries.rows()}}}};
  run["database"].update({{"rows", rows.rows()}, {"columns", rows.columns()}, {"type", to_string(rows.type())}});
  run["queries"]["checksum"] = add_to(0, queries.data(), queries.rows() * queries.columns() * sizeof(float));
  // Names may hold bytes that no JSON does: a checkpoint has what is made of them here.
  return nlohmann::json::parse(run.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string difference(const nlohmann::json& before, const nlohmann::json& now) {
  std::vector<std::string> differences;
  compare("", before, now, differences);
  return fmt::format("{}", fmt::join(differences, "; "));
}

}  // namespace proxel::tool
