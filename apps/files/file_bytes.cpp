#include "files/file_bytes.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "proxel/error.hpp"

namespace proxel::files {

std::vector<std::uint8_t> file_bytes(const std::string& path, std::uint64_t most) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) throw Error(ErrorCode::not_found, path, "no such file");
  if (error) throw Error(ErrorCode::input_output, path, error.message());
  if (status.type() == std::filesystem::file_type::directory)
    throw Error(ErrorCode::input_output, path, "is a directory, not a file");
  // A pipe may never end.
  if (status.type() != std::filesystem::file_type::regular)
    throw Error(ErrorCode::input_output, path, "is not a regular file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  const auto require = [&](bool fine) {
    if (!fine) throw Error(ErrorCode::input_output, path, errno != 0 ? std::strerror(errno) : "cannot be read");
  };
  require(file.is_open());
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) throw Error(ErrorCode::input_output, path, error.message());
  if (size > most)
    throw Error(ErrorCode::unsupported, path, fmt::format("a file of {} bytes; at most {} are read", size, most));
  std::vector<std::uint8_t> bytes(size);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  require(!file.fail());
  return bytes;
}

}  // namespace proxel::files
