#include "text_file.hpp"

#include <fstream>

#include "proxel/error.hpp"

namespace proxel::tool {

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

}  // namespace proxel::tool
