#pragma once

// A contact sheet among the files that a command writes.

#include <cstdint>
#include <string>

#include "command_line.hpp"
#include "outputs.hpp"
#include "signatures/contact_sheet.hpp"

namespace proxel::tool {

/// What is asked of a sheet.
struct SheetOptions {
  std::string path;  ///< empty: none is asked for
  std::uint32_t thumbnail = 128;
  bool force = false;
};

/// Adds --sheet, --force and --thumbnail.
/// @param what  is shown on it
void add_sheet_options(CLI::App& command, SheetOptions& options, const std::string& what);

/// Says that the sheet will be written, where one is asked for. Throws Error(invalid_argument) where its name ends
/// in neither .png nor .html, and as Outputs::plan().
void plan_sheet(Outputs& outputs, const SheetOptions& options);

/// Writes it and gives all outputs their names. Warns of images that could not be read.
/// @param sheet  its path and thumbnails are those of the options
/// @param hint   why they may not be read, or what to do; empty: nothing is known
void write_sheet(Outputs& outputs, const SheetOptions& options, Sheet sheet, const std::string& hint);

}  // namespace proxel::tool
