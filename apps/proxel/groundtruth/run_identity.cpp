#include "groundtruth/run_identity.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <zlib.h>

#include "file_state.hpp"

namespace proxel::tool {
namespace {

std::uint32_t add_to(std::uint32_t crc, const void* bytes, std::size_t count) {
  return static_cast<std::uint32_t>(crc32_z(crc, static_cast<const Bytef*>(bytes), count));
}

nlohmann::json identity_of_file(const std::string& path, const ReadOptions& rows) {
  nlohmann::json file = {{"first row", rows.first_row}};
  const std::string place = file_of_rows(path);
  struct stat status = {};
  if (stat(place.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    file["name"] = path;
    return file;
  }
  file["bytes"] = status.st_size;
  file["changed"] = fmt::format("{}.{:09}", status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  file["checksum of samples"] = sampled_checksum(place, static_cast<std::uint64_t>(status.st_size));
  file["part"] = path.substr(place.size());
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

nlohmann::json identity_of(const SearchOptions& options, const RowSource& rows, const Matrix<float>& queries) {
  nlohmann::json run = {{"metric", to_string(options.metric)},
                        {"k", options.k},
                        {"database", identity_of_file(options.database, options.database_rows)},
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
