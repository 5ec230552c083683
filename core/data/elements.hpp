#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "proxel/data.hpp"

namespace proxel::data {

/// Bytes of one stored element; text has none.
std::uint64_t element_bytes(ElementType type);
bool is_integer(ElementType type);

/// a * b, or nothing where 64 bits cannot hold it.
constexpr std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b) {
  if (a != 0 && b > UINT64_MAX / a) return std::nullopt;
  return a * b;
}

/// deflate cannot shrink data by more than this, so a header that promises more than the
/// stored bytes could ever hold is not believed.
inline constexpr std::uint64_t largest_deflate_ratio = 1032;

/// A stored value that the wanted type cannot hold.
struct Misfit {
  std::uint64_t index = 0;  ///< which of the elements that were given
  std::string reason;       ///< "1e300 is beyond the range of binary32"
};

/// Converts stored elements: to float rounding to nearest even, to int32
/// keeping the 32 bits of an unsigned value (0xFFFFFFFF becomes -1). A value is
/// never clipped: the first that does not fit is returned.
/// @param stored  `count` elements, unaligned, in the byte order that big_endian says
/// @param out     written at 0, stride, 2 * stride, …
template <typename T>
std::optional<Misfit> convert(ElementType type, bool big_endian, const std::byte* stored, std::uint64_t count, T* out,
                              std::uint64_t stride = 1);

/// Throws Error(malformed_file) where integers are asked of a file that has none.
void require_integers(ElementType type, const std::string& file);

/// Throws Error(out_of_memory) where rows x columns elements of the result
/// take more than `limit` bytes.
void require_memory(const std::string& file, std::uint64_t rows, std::uint64_t columns, std::uint64_t bytes_each,
                    std::uint64_t limit);

/// How many of `rows` are read under the options.
std::uint64_t rows_to_read(std::uint64_t rows, const ReadOptions& options);

}  // namespace proxel::data
