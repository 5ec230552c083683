#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace proxel::data {

enum class NumberProblem { none, not_a_number, out_of_range };

/// Reads the whole text as a decimal number, rounded to the nearest float.
/// A sign, "nan" and "inf" in any case are understood. Too small becomes zero;
/// too large is out of range, as nothing is clipped.
NumberProblem parse_number(std::string_view text, float& value);
/// The same with `decimal` between units and tenths. Where that is a comma, a point has no meaning.
NumberProblem parse_number(std::string_view text, float& value, char decimal);

/// The text with a point as its decimal mark; empty where it had one that is none.
std::string with_point(std::string_view text, char decimal);

/// Reads the whole text as an integer of 32 bits, signed or unsigned; an
/// unsigned one keeps its bits. "3.0" is not an integer.
NumberProblem parse_number(std::string_view text, std::int32_t& value);

/// The text for a message: shortened, without control characters.
std::string printable(std::string_view text);

}  // namespace proxel::data
