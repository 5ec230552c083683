#pragma once

// What is known of the photographs of a folder, kept in a file, so that a second search reads what has changed alone.

#include <string>
#include <vector>

#include "photos/photos.hpp"

namespace proxel::tool {

/// Writes the file, to a place that Outputs::write() gave: a line that names it, CBOR (RFC 8949), and the CRC-32 of that.
/// @param folder  that of the photographs, whose paths are kept relative to it
/// Throws Error(input_output).
void write_kept_photos(const std::string& place, const std::string& folder, const PhotoOptions& options,
                       const std::vector<Photo>& photos);

/// Reads it; nothing where there is no such file, or where it was made with other options, which is noted.
/// Throws Error: input_output; malformed_file for damaged and other files.
std::vector<Photo> read_kept_photos(const std::string& path, const std::string& folder, const PhotoOptions& options);

}  // namespace proxel::tool
