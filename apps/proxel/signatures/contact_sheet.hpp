#pragma once

// Images and their neighbours at a glance.

#include <cstdint>
#include <string>
#include <vector>

namespace proxel::tool {

/// With smaller ones captions would run into each other.
inline constexpr std::uint32_t least_thumbnail = 64, most_thumbnail = 2048;

struct SheetImage {
  std::string path;     ///< of its file; empty where it is not known
  std::string caption;  ///< ASCII: under the image
};

struct SheetRow {
  std::string title;  ///< names the query
  SheetImage query;
  std::vector<SheetImage> neighbors;
};

struct Sheet {
  std::string path;   ///< ends in .png or .html
  std::string title;  ///< .html only
  std::string command_line;
  std::uint32_t thumbnail = least_thumbnail;  ///< longest side of each image, pixels
  std::vector<SheetRow> rows;
};

/// Writes the sheet, to a place that Outputs::write() gave. Images that cannot be read leave their place empty.
/// @return how many could not
/// Throws Error: input_output; invalid_argument where a PNG file would be too large; unsupported
/// where the program was built without images.
std::uint64_t write_contact_sheet(const Sheet& sheet);

}  // namespace proxel::tool
