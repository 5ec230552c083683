#include "text_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "proxel/error.hpp"

namespace proxel::tool {

void write_text(const std::string& path, std::string_view text) {
  const std::string temporary = fmt::format("{}.{}.part", path, getpid());
  const auto fail = [&](const char* what) {
    const std::string why = std::strerror(errno);
    std::remove(temporary.c_str());
    throw Error(ErrorCode::input_output, path, fmt::format("{}: {}", what, why));
  };
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  if (!file) fail("could not be created");
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) fail("could not be written");
  if (std::rename(temporary.c_str(), path.c_str()) != 0) fail("could not be put in place");
}

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::not_found, path, "cannot be opened");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
  }
  if (file.bad()) throw Error(ErrorCode::input_output, path, "cannot be read");
  return lines;
}

void check_output_folder(const std::string& option, const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    throw Error(ErrorCode::not_found, option,
                fmt::format("the folder '{}' does not exist", folder.string()));
}

}  // namespace proxel::tool
