#pragma once

#include <string>
#include <vector>

namespace proxel::tool {

/// The lines of a file without their ends, \n or \r\n; an empty line is an empty
/// string. Throws Error(not_found | input_output).
std::vector<std::string> read_lines(const std::string& path);

}  // namespace proxel::tool
