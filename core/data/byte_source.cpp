#include "data/byte_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace proxel::data {

void ByteSource::read(std::uint64_t offset, std::span<std::byte> into) const {
  if (offset > size() || into.size() > size() - offset)
    fail_at(size(), fmt::format("the file ends, {} bytes from byte {} on were expected", into.size(), offset));
  if (!into.empty()) read_checked(offset, into);
}

void ByteSource::fail_at(std::uint64_t offset, const std::string& reason) const {
  fail(fmt::format("at byte {}: {}", offset, reason));
}

void ByteSource::fail(const std::string& reason) const { throw Error(ErrorCode::malformed_file, name_, reason); }

FileSource::FileSource(const std::string& path) : ByteSource(path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) throw Error(ErrorCode::not_found, path, "no such file");
  if (error) throw Error(ErrorCode::input_output, path, error.message());
  // A pipe or device has no size that a header could be checked against.
  if (status.type() != std::filesystem::file_type::regular)
    throw Error(ErrorCode::input_output, path,
                status.type() == std::filesystem::file_type::directory ? "is a directory, not a file"
                                                                       : "is not a regular file");
  errno = 0;
  stream_.open(path, std::ios::binary);
  if (!stream_) throw Error(ErrorCode::input_output, path, errno != 0 ? std::strerror(errno) : "cannot be opened");
  size_ = std::filesystem::file_size(path, error);
  if (error) throw Error(ErrorCode::input_output, path, error.message());
}

void FileSource::read_checked(std::uint64_t offset, std::span<std::byte> into) const {
  errno = 0;
  stream_.clear();
  stream_.seekg(static_cast<std::streamoff>(offset));
  stream_.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
  if (!stream_)
    throw Error(ErrorCode::input_output, name(),
                fmt::format("at byte {}: {}", offset,
                            errno != 0 ? std::strerror(errno) : "the file became shorter while it was read"));
}

void MemorySource::read_checked(std::uint64_t offset, std::span<std::byte> into) const {
  std::memcpy(into.data(), bytes_.data() + offset, into.size());
}

std::span<const std::byte> ByteCursor::take(std::size_t count) {
  const std::uint64_t buffer_end = buffer_offset_ + buffer_.size();
  if (offset_ < buffer_offset_ || offset_ > buffer_end || count > buffer_end - offset_) {
    const std::uint64_t left = offset_ < source_.size() ? source_.size() - offset_ : 0;
    const auto ahead = static_cast<std::size_t>(std::min<std::uint64_t>(largest_take, left));
    buffer_.resize(std::max(count, ahead));
    source_.read(offset_, buffer_);
    buffer_offset_ = offset_;
  }
  const std::span<const std::byte> result(buffer_.data() + (offset_ - buffer_offset_), count);
  offset_ += count;
  return result;
}

}  // namespace proxel::data
