#include "shell/settings.hpp"

#include <cstdlib>
#include <fstream>
#include <string_view>

namespace demo {

namespace files = std::filesystem;

files::path default_settings_file() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
  };
  const std::string_view config = variable("XDG_CONFIG_HOME");
  return (config.empty() ? files::path(variable("HOME")) / ".config" : files::path(config)) / "proxel" / "demo.json";
}

nlohmann::json read_settings(const files::path& file, std::string& complaint) {
  std::ifstream stream(file);
  if (!stream) return nlohmann::json::object();
  const nlohmann::json settings = nlohmann::json::parse(stream, nullptr, false);
  if (settings.is_object()) return settings;
  complaint = file.string() + ": these settings cannot be read, and were left aside";
  return nlohmann::json::object();
}

bool write_settings(const files::path& file, const nlohmann::json& settings) {
  std::error_code error;
  if (file.has_parent_path()) files::create_directories(file.parent_path(), error);
  // Written beside it first: settings are never half there.
  const files::path fresh = file.string() + ".new";
  std::ofstream stream(fresh);
  stream << settings.dump(2) << '\n';
  stream.close();
  if (!stream) return false;
  files::rename(fresh, file, error);
  return !error;
}

}  // namespace demo
