#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace proxel::tool {

/// Writes a text file that appears whole or not at all: beside its place first,
/// then renamed. Throws Error(input_output).
void write_text(const std::string& path, std::string_view text);

/// The lines of a file without their ends, \n or \r\n; an empty line is an empty
/// string. Throws Error(not_found | input_output).
std::vector<std::string> read_lines(const std::string& path);

/// Throws Error(not_found) unless the folder that `path` names exists, so that
/// a mistyped output is noticed before the work and not after it.
void check_output_folder(const std::string& option, const std::string& path);

}  // namespace proxel::tool
