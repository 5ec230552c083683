#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proxel::files {

/// All bytes of a regular file. Throws Error: not_found; input_output, for folders and pipes
/// too; unsupported where there are more than `most`.
std::vector<std::uint8_t> file_bytes(const std::string& path, std::uint64_t most = UINT64_MAX);

inline std::string_view as_text(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace proxel::files
