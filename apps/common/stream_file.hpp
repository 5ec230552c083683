#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace proxel::tool {

/// Whether a path is "-", which stands for standard input, or a pipe: what can be read
/// once, forwards, and has no size beforehand.
bool is_stream(const std::string& path);

/// What errors call a path: "standard input" for "-", otherwise the path.
std::string name_of(const std::string& path);

/// All that comes out of a stream. Throws Error(input_output | invalid_argument) where
/// it cannot be read, is a terminal or was read before, out_of_memory, and Interrupted.
std::vector<std::byte> read_stream(const std::string& path);

/// What `read` makes of a file, or of the content of a stream and its name.
template <typename Read>
auto read_either(const std::string& path, const Read& read) {
  if (!is_stream(path)) return read(path);
  const std::vector<std::byte> content = read_stream(path);
  return read(content, name_of(path));
}

}  // namespace proxel::tool
