#pragma once

// Checksums of a section block by block, so that a part of it can be believed before all of it has been read.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/checksum.hpp"

namespace proxel::data {

/// Bytes of a block; the last one of a section may have fewer.
inline constexpr std::uint64_t checksum_block_bytes = std::uint64_t{1} << 20;

/// Blocks of a section of so many bytes.
constexpr std::uint64_t checksum_blocks(std::uint64_t bytes) {
  return bytes / checksum_block_bytes + (bytes % checksum_block_bytes != 0 ? 1 : 0);
}

/// The checksums of the blocks of bytes that come one after the other.
class BlockSums {
 public:
  void add(std::span<const std::byte> more);

  std::uint64_t bytes() const { return bytes_; }
  std::span<const std::uint32_t> values() const { return values_; }

 private:
  std::vector<std::uint32_t> values_;
  Checksum last_;
  std::uint64_t bytes_ = 0;
};

/// What the blocks of a section of a file must be, and which of them have been found to be that.
class BlockChecksums {
 public:
  /// @param file, section  what errors call them
  /// @param first          where the section begins in the file
  /// @param expected       of checksum_blocks(bytes) blocks
  BlockChecksums(std::string file, std::string section, std::uint64_t first, std::uint64_t bytes,
                 std::vector<std::uint32_t> expected);

  /// Reads the blocks that have some of the bytes first … first + count - 1 of the section, unless it has
  /// read them before.
  /// @param section  all of it
  /// Throws Error(malformed_file) where one of them is damaged.
  void require(std::span<const std::byte> section, std::uint64_t first, std::uint64_t count);

 private:
  std::string file_, section_;
  std::uint64_t first_;
  std::uint64_t bytes_;
  std::vector<std::uint32_t> expected_;
  std::vector<bool> known_;
};

}  // namespace proxel::data
