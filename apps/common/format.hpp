#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace proxel::tool {

/// "7,500,000"
std::string with_separators(std::uint64_t value);
/// "1 query", "7,500 queries"
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);
/// "1.5 GiB"
std::string as_bytes(std::uint64_t bytes);
/// Four significant digits: "0.01234", "12.34", "1,234"
std::string significant(double value);
/// "12.3 ×"
std::string as_speed_up(double ratio);
/// Shortest text that reads back as the same binary32: "0.1", "inf", "nan".
std::string as_float(float value);
/// Characters that a terminal shows for UTF-8 text of single-width characters.
std::size_t display_width(std::string_view text);
/// The words as a shell command that can be pasted.
std::string shell_command(int count, char** words);

}  // namespace proxel::tool
