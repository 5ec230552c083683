#pragma once

// Saved permutation indexes with right checksums, whatever else is wrong with them.
// Written from docs/permutation-file.md, apart from the reader and the writer.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <zlib.h>

namespace proxel::testing {

inline constexpr std::size_t saved_sections = 6;
inline constexpr std::size_t saved_header_bytes = 16 + saved_sections * 16 + 4;

inline std::uint64_t little_endian(const std::string& bytes, std::size_t offset, std::size_t width) {
  std::uint64_t number = 0;
  for (std::size_t i = width; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[offset + i]);
  return number;
}

inline void put_little_endian(std::string& bytes, std::size_t offset, std::size_t width, std::uint64_t number) {
  for (std::size_t i = 0; i < width; ++i, number >>= 8) bytes[offset + i] = static_cast<char>(number & 255);
}

/// Sets every checksum to that of the bytes as they are; of a section that its file
/// does not hold, to that of what there is.
inline std::string with_checksums(std::string bytes) {
  if (bytes.size() < saved_header_bytes) return bytes;
  const auto checksum = [&](std::uint64_t first, std::uint64_t count) {
    return crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data() + first), count);
  };
  std::uint64_t first = saved_header_bytes;
  for (std::size_t section = 0; section < saved_sections; ++section) {
    const std::size_t entry = 16 + section * 16;
    const std::uint64_t count =
        std::min<std::uint64_t>(little_endian(bytes, entry + 8, 8), bytes.size() - first);
    put_little_endian(bytes, entry + 4, 4, checksum(first, count));
    first += count;
  }
  put_little_endian(bytes, saved_header_bytes - 4, 4, checksum(0, saved_header_bytes - 4));
  return bytes;
}

}  // namespace proxel::testing
