#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "proxel/error.hpp"

namespace proxel::data {

/// Bytes that a parser reads: a file, or memory in tests and fuzzers.
/// Every read is checked against the size, so that a parser cannot leave it.
class ByteSource {
 public:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// What errors call it: the path as the user gave it.
  const std::string& name() const { return name_; }
  virtual std::uint64_t size() const = 0;

  /// Fills `into` with the bytes from `offset` on.
  /// Throws Error: malformed_file where they reach past the end, input_output.
  void read(std::uint64_t offset, std::span<std::byte> into) const;

  /// Throws Error(malformed_file): "<name>: at byte <offset>: <reason>".
  [[noreturn]] void fail_at(std::uint64_t offset, const std::string& reason) const;
  /// Throws Error(malformed_file): "<name>: <reason>".
  [[noreturn]] void fail(const std::string& reason) const;

  /// The bytes themselves where they are in memory, otherwise nothing.
  virtual std::span<const std::byte> in_memory() const { return {}; }

 private:
  virtual void read_checked(std::uint64_t offset, std::span<std::byte> into) const = 0;

  std::string name_;
};

/// A regular file.
class FileSource : public ByteSource {
 public:
  /// Throws Error: not_found, input_output.
  explicit FileSource(const std::string& path);
  std::uint64_t size() const override { return size_; }

 private:
  void read_checked(std::uint64_t offset, std::span<std::byte> into) const override;

  mutable std::ifstream stream_;
  std::uint64_t size_ = 0;
};

/// Memory of the caller, which outlives the source.
class MemorySource : public ByteSource {
 public:
  MemorySource(std::string name, std::span<const std::byte> bytes) : ByteSource(std::move(name)), bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  std::span<const std::byte> in_memory() const override { return bytes_; }

 private:
  void read_checked(std::uint64_t offset, std::span<std::byte> into) const override;

  std::span<const std::byte> bytes_;
};

/// Reads a source forwards through a buffer of bounded size.
class ByteCursor {
 public:
  /// The most bytes that take() gives at once.
  static constexpr std::size_t largest_take = std::size_t{1} << 18;

  explicit ByteCursor(const ByteSource& source, std::uint64_t offset = 0) : source_(source), offset_(offset) {}

  std::uint64_t offset() const { return offset_; }
  void seek(std::uint64_t offset) { offset_ = offset; }

  /// The next `count` bytes, valid until the next call. Throws as ByteSource::read.
  std::span<const std::byte> take(std::size_t count);

 private:
  const ByteSource& source_;
  std::uint64_t offset_;
  std::uint64_t buffer_offset_ = 0;
  std::vector<std::byte> buffer_;
};

}  // namespace proxel::data
