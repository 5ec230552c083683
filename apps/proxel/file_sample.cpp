#include "file_sample.hpp"

#include <algorithm>
#include <fstream>
#include <vector>

#include <sys/stat.h>
#include <zlib.h>

namespace proxel::tool {

std::string file_of_rows(const std::string& name) {
  struct stat status = {};
  return stat(name.c_str(), &status) == 0 ? name : name.substr(0, std::min(name.rfind('#'), name.find(":/")));
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
