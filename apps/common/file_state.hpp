#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace proxel::tool {

/// The file that a name of rows is in: without the array's name after '#' or ":/", where there is no file of the whole name.
std::string file_of_rows(const std::string& name);

/// What tells that a file has been written to, or that another has taken its name. Its permissions and links may change.
struct FileState {
  std::string path;
  std::uint64_t bytes = 0;
  std::uint64_t device = 0, number = 0;  ///< which file it is
  std::int64_t written = 0;              ///< when, nanoseconds; what writes may put it back, hence
  std::uint32_t checksum = 0;            ///< sampled_checksum()
  bool operator==(const FileState&) const = default;
};
/// That of the file that a name of rows is in; nothing of what is no file, and where the system does not say.
std::optional<FileState> state_of(const std::string& name);
/// Throws Error(input_output) where the file has changed, or another has its name, since its state was asked for. Does nothing
/// without a state.
/// @param meanwhile  "read": what was done to it
void require_unchanged(const std::optional<FileState>& before, const char* meanwhile);

/// A checksum (CRC-32) of the beginning, the end, and what lies evenly between them, of a file of any size. Of what cannot be
/// read, or changes its size, that of less.
std::uint32_t sampled_checksum(const std::string& path, std::uint64_t bytes);

}  // namespace proxel::tool
