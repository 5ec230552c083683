#include "file_state.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>

#include "proxel/error.hpp"

namespace proxel::tool {

std::string file_of_rows(const std::string& name) {
  std::error_code missing;
  return std::filesystem::exists(name, missing) ? name : name.substr(0, std::min(name.rfind('#'), name.find(":/")));
}

std::optional<FileState> state_of(const std::string& name) {
  const std::string path = file_of_rows(name);
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  const std::int64_t written = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  return FileState{path, bytes, status.st_dev, status.st_ino, written, sampled_checksum(path, bytes)};
}

void require_unchanged(const std::optional<FileState>& before, const char* meanwhile) {
  if (before && state_of(before->path) != before)
    throw Error(ErrorCode::input_output, before->path,
                fmt::format("changed while it was {}; nothing was written", meanwhile));
}

std::uint32_t sampled_checksum(const std::string& path, std::uint64_t bytes) {
  constexpr std::uint64_t samples = 64, each = 1 << 14;
  std::vector<char> read(each);
  uLong crc = 0;
  std::ifstream file(path, std::ios::binary);
  const std::uint64_t last = bytes - std::min(bytes, each);
  for (std::uint64_t i = 0; i <= samples && file; ++i) {
    file.seekg(static_cast<std::streamoff>(last / samples * i + last % samples * i / samples));
    file.read(read.data(), static_cast<std::streamsize>(std::min(bytes, each)));
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(read.data()), static_cast<std::size_t>(file.gcount()));
  }
  return static_cast<std::uint32_t>(crc);
}

}  // namespace proxel::tool
