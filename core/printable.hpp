#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace proxel {

/// Bytes of a line that is read by people, and of a name in it.
inline constexpr std::size_t most_of_line = 1000, most_of_subject = 300;

/// A text as one line that a terminal shows as it is: control characters, line ends, characters that turn the
/// direction of writing and bytes that are not UTF-8 are written as \n, \x1b, \u{202e}. One of more than
/// `most_bytes` bytes loses its middle.
/// @param most_bytes  at least 16
std::string printable(std::string_view text, std::size_t most_bytes);

}  // namespace proxel
