#pragma once

#include <string>

namespace proxel::tool {

/// Files are mapped, and read as they are searched. Where one has become shorter since, or cannot be read any more, the
/// system sends SIGBUS: from here on this ends the program with a message that names the file, and exit_bad_input.
/// @param program  whose name begins the message
void name_lost_files(const std::string& program);

}  // namespace proxel::tool
