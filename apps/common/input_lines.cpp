#include "input_lines.hpp"

#include <fmt/format.h>

#include "format.hpp"
#include "notes.hpp"
#include "stream_file.hpp"

namespace proxel::tool {

TextLines read_input_lines(const std::string& path) {
  TextLines text = read_either(path, [](const auto&... file) { return read_text_lines(file...); });
  if (const std::size_t empty = text.empty.size(); empty != 0)
    note(fmt::format("{}: {} left out, the first is line {}", name_of(path),
                     empty == 1 ? "an empty line was" : with_separators(empty) + " empty lines were",
                     text.empty.front()));
  return text;
}

std::vector<std::string> read_lines(const std::string& path) { return read_input_lines(path).lines; }

}  // namespace proxel::tool
