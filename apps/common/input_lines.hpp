#pragma once

#include <string>
#include <vector>

#include "proxel/data_text.hpp"

namespace proxel::tool {

/// The lines of a text file that are not empty: of a file, plain or gzip, of a pipe, or
/// of standard input ("-"). Notes how many empty lines were left out.
/// Throws Error, and Interrupted.
TextLines read_input_lines(const std::string& path);

/// The same, where only the lines matter.
std::vector<std::string> read_lines(const std::string& path);

}  // namespace proxel::tool
