#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace proxel::data {

/// Collects numbers as little-endian bytes, and text, and hands them on in blocks.
class BlockWriter {
 public:
  using Sink = std::function<void(std::span<const std::byte>)>;

  /// @param sink  takes the bytes, in order
  explicit BlockWriter(Sink sink) : sink_(std::move(sink)) { buffer_.reserve(block_bytes + 64); }

  template <typename T>
  void value(T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    auto bits = std::bit_cast<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i, bits >>= 8) buffer_.push_back(static_cast<char>(bits & 255));
    hand_on(block_bytes);
  }
  void values(std::span<const std::uint32_t> values) { each(values); }
  void values(std::span<const float> values) { each(values); }
  void text(std::string_view text) {
    buffer_.append(text);
    hand_on(block_bytes);
  }

  /// Writes bytes as they are.
  void bytes(std::span<const std::byte> bytes) {
    flush();
    if (!bytes.empty()) sink_(bytes);
  }

  /// Hands on what is left.
  void flush() { hand_on(0); }

 private:
  static constexpr std::size_t block_bytes = std::size_t{1} << 18;

  template <typename T>
  void each(std::span<const T> values) {
    if constexpr (std::endian::native == std::endian::little) {
      flush();
      if (!values.empty()) sink_(std::as_bytes(values));
    } else {
      for (const T one : values) value(one);
    }
  }

  void hand_on(std::size_t threshold) {
    if (buffer_.size() < threshold || buffer_.empty()) return;
    sink_(std::as_bytes(std::span(buffer_)));
    buffer_.clear();
  }

  Sink sink_;
  std::string buffer_;
};

}  // namespace proxel::data
