#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace proxel::data {

/// Maps a whole regular file, read-only: pages are read when they are touched. The file must not become shorter
/// while it is mapped. The caller unmaps; an empty file has no bytes and nothing to unmap.
/// Throws Error: not_found, input_output.
std::span<const std::byte> map_file(const std::string& path);
void unmap_file(std::span<const std::byte> mapped) noexcept;

/// A file as long as it is mapped.
class MappedFile {
 public:
  /// Throws as map_file().
  explicit MappedFile(const std::string& path) : bytes_(map_file(path)) {}
  ~MappedFile() { unmap_file(bytes_); }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace proxel::data
