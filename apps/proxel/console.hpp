#pragma once

#include <string>
#include <string_view>

#include "proxel/error.hpp"

namespace proxel::tool {

enum class Style { plain, strong, faint, good, bad };

/// True where the stream is a terminal and NO_COLOR is not set.
bool stdout_has_colour();
/// True where a progress bar has somebody to see it.
bool stderr_is_terminal();

/// The text in that style where stdout has colours, otherwise the text itself.
std::string styled(Style style, std::string_view text);

/// Prints "proxel: error: subject: reason" to stderr and, with json, an error
/// object to stdout.
void report_error(bool json, std::string_view code, std::string_view subject,
                  std::string_view message);
/// Prints "proxel: warning: …" to stderr.
void warn(std::string_view message);

/// The reason of an error without the subject that its what() starts with.
std::string reason(const Error& error);

}  // namespace proxel::tool
