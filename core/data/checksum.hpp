#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace proxel::data {

/// CRC-32, zlib's, of the bytes so far, and how many.
struct Checksum {
  std::uint32_t value = 0;
  std::uint64_t bytes = 0;

  void add(std::span<const std::byte> more);
};

}  // namespace proxel::data
