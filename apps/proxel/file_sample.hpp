#pragma once

#include <cstdint>
#include <string>

namespace proxel::tool {

/// The file that a name of rows is in: without the array's name after '#' or ":/", where there is no file of the whole name.
std::string file_of_rows(const std::string& name);

/// A checksum (CRC-32) of the beginning, the end, and what lies evenly between them, of a file of any size. Of what cannot be
/// read, or changes its size, that of less.
std::uint32_t sampled_checksum(const std::string& path, std::uint64_t bytes);

}  // namespace proxel::tool
