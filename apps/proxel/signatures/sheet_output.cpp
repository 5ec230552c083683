#include "signatures/sheet_output.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "console.hpp"
#include "format.hpp"

namespace proxel::tool {
namespace {

bool is_page(const SheetOptions& options) { return options.path.ends_with(".html"); }

}  // namespace

void add_sheet_options(CLI::App& command, SheetOptions& options, const std::string& what) {
  command.add_option("--sheet", options.path, "Write a contact sheet, .png or .html: " + what)->type_name("FILE");
  add_force_option(command, options.force);
  command.add_option("--thumbnail", options.thumbnail, "Longest side of an image of the sheet, pixels")
      ->check(CLI::Range(least_thumbnail, most_thumbnail))
      ->type_name("PIXELS")
      ->capture_default_str();
}

void plan_sheet(Outputs& outputs, const SheetOptions& options) {
  if (options.path.empty()) return;
  if (!is_page(options) && !options.path.ends_with(".png"))
    throw Error(ErrorCode::invalid_argument, "--sheet",
                fmt::format("{} was given; names that end in .png or .html are allowed", options.path));
  outputs.plan("--sheet", options.path, is_page(options) ? FileKind::page : FileKind::picture);
}

void write_sheet(Outputs& outputs, const SheetOptions& options, Sheet sheet, const std::string& hint) {
  sheet.thumbnail = options.thumbnail;
  std::uint64_t missing = 0;
  outputs.write(options.path, [&](const std::string& place) {
    sheet.path = place;
    missing = write_contact_sheet(sheet);
  });
  outputs.commit();
  if (missing != 0)
    warn(fmt::format("{}: {} images could not be read and are not shown{}{}", options.path, with_separators(missing),
                     hint.empty() ? "" : "; ", hint));
}

}  // namespace proxel::tool
