#pragma once

// Files of sections with right checksums, whatever else is wrong with them. Written from
// docs/permutation-file.md, docs/signature-file.md and docs/index-file.md, apart from their readers and writers.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <zlib.h>

namespace proxel::testing {

inline constexpr std::size_t saved_sections = 6;  ///< of permutations and signatures
inline constexpr std::size_t row_sections = 4;    ///< of rows of vectors, the third in blocks
inline constexpr std::size_t rows_section = 2, sums_section = 3;
inline constexpr std::size_t checksum_block = 1 << 20;

inline std::size_t section_entry(std::size_t section) { return 16 + section * 16; }

inline std::uint64_t little_endian(const std::string& bytes, std::size_t offset, std::size_t width) {
  std::uint64_t number = 0;
  for (std::size_t i = width; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[offset + i]);
  return number;
}

inline void put_little_endian(std::string& bytes, std::size_t offset, std::size_t width, std::uint64_t number) {
  for (std::size_t i = 0; i < width; ++i, number >>= 8) bytes[offset + i] = static_cast<char>(number & 255);
}

inline bool is_of_rows(const std::string& bytes) { return bytes.size() >= 16 && little_endian(bytes, 12, 4) == 4; }
inline std::size_t sections_in(const std::string& bytes) { return is_of_rows(bytes) ? row_sections : saved_sections; }
inline std::size_t header_bytes(const std::string& bytes) { return section_entry(sections_in(bytes)) + 4; }

/// Sets every checksum to that of the bytes as they are; of a section that its file
/// does not hold, to that of what there is.
inline std::string with_checksums(std::string bytes) {
  const std::size_t header = header_bytes(bytes);
  if (bytes.size() < header) return bytes;
  const auto checksum = [&](std::uint64_t first, std::uint64_t count) {
    return crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data() + first), count);
  };
  std::uint64_t first = header, rows = header, rows_bytes = 0;
  for (std::size_t section = 0; section < sections_in(bytes); ++section) {
    const std::size_t entry = section_entry(section);
    const std::uint64_t count = std::min<std::uint64_t>(little_endian(bytes, entry + 8, 8), bytes.size() - first);
    if (is_of_rows(bytes) && section == rows_section) rows = first, rows_bytes = count;
    if (is_of_rows(bytes) && section == sums_section)
      for (std::uint64_t block = 0; block * checksum_block < rows_bytes && block * 4 + 4 <= count; ++block)
        put_little_endian(bytes, first + block * 4, 4,
                          checksum(rows + block * checksum_block,
                                   std::min<std::uint64_t>(checksum_block, rows_bytes - block * checksum_block)));
    put_little_endian(bytes, entry + 4, 4, is_of_rows(bytes) && section == rows_section ? 0 : checksum(first, count));
    first += count;
  }
  put_little_endian(bytes, header - 4, 4, checksum(0, header - 4));
  return bytes;
}

inline std::size_t section_start(const std::string& bytes, std::size_t section) {
  std::uint64_t first = header_bytes(bytes);
  for (std::size_t i = 0; i < section; ++i) first += little_endian(bytes, section_entry(i) + 8, 8);
  return first;
}

/// With the 32-bit word of that section changed, and checksums that fit.
inline std::string with_word(std::string bytes, std::size_t section, std::size_t word, std::uint32_t value) {
  put_little_endian(bytes, section_start(bytes, section) + 4 * word, 4, value);
  return with_checksums(std::move(bytes));
}

/// The entry of a section in the header, written anew.
inline std::string section_entry_bytes(const std::string& tag, std::uint32_t checksum, std::uint64_t bytes) {
  std::string entry = tag + std::string(12, '\0');
  put_little_endian(entry, 4, 4, checksum);
  put_little_endian(entry, 8, 8, bytes);
  return entry;
}

}  // namespace proxel::testing
