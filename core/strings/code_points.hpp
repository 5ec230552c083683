#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace proxel::strings {

/// Appends the code points of UTF-8 text. Returns the bytes before the first that
/// is not UTF-8, all of them where there is none; the code points of those are appended.
std::size_t append_code_points(std::string_view text, std::vector<std::uint32_t>& to);

/// The text of code points that came from append_code_points().
std::string utf8(std::span<const std::uint32_t> code_points);

}  // namespace proxel::strings
