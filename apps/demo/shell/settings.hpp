#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

namespace demo {

/// Where settings are kept unless another file is named: $XDG_CONFIG_HOME/proxel/demo.json.
std::filesystem::path default_settings_file();

/// What a file says; an empty object where there is none.
/// @param complaint  says what is wrong with a file that cannot be read
nlohmann::json read_settings(const std::filesystem::path& file, std::string& complaint);
/// Whether they could be written.
bool write_settings(const std::filesystem::path& file, const nlohmann::json& settings);

}  // namespace demo
