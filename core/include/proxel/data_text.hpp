#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// The lines of a text file, without their ends (LF or CRLF), without a byte order mark
/// and without empty lines.
struct TextLines {
  std::vector<std::string> lines;
  std::vector<std::uint64_t> empty;  ///< numbers, from 1, of the empty lines that were left out

  /// The number, from 1, that line `index` of lines has in the file.
  std::uint64_t line_number(std::uint64_t index) const;
};

/// Reads a text file, or a gzip file of one, which its first bytes tell.
/// Throws Error: not_found, input_output, malformed_file (damaged gzip, a line longer
/// than 256 MiB), out_of_memory.
TextLines read_text_lines(const std::string& path);

/// The same of a file's content.
/// @param name  what errors call it
TextLines read_text_lines(std::span<const std::byte> content, const std::string& name);

}  // namespace proxel
PROXEL_PUBLIC_END
