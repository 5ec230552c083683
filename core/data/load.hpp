#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace proxel::data {

/// A stored element, which need not be aligned.
template <typename Stored>
Stored load(const std::byte* from, bool big_endian) {
  std::array<std::byte, sizeof(Stored)> bytes;
  std::memcpy(bytes.data(), from, sizeof(Stored));
  if (big_endian != (std::endian::native == std::endian::big)) std::ranges::reverse(bytes);
  return std::bit_cast<Stored>(bytes);
}

}  // namespace proxel::data
