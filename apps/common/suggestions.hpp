#pragma once

#include <optional>
#include <string>

#include "command_line.hpp"

namespace proxel::tool {

/// The first word of a command line that names no command or option, and what it may have
/// been meant for: "'serach' is no command; did you mean 'search'?". Nothing where every
/// word names something, or may be a value.
/// @param words  the command line, from the program's name on
std::optional<std::string> unknown_word(const CLI::App& app, int count, char** words);

}  // namespace proxel::tool
