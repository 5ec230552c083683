#pragma once

// Checks of numbers on a command line. Those of CLI11 tell in some versions what a double can hold.

#include <charconv>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace proxel::tool {

namespace detail {

// What is no number is for the conversion to refuse.
template <typename Holds>
CLI::Validator number_check(const char* name, const char* refusal, Holds holds) {
  return CLI::Validator([=](const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool read = error == std::errc() && end == text.data() + text.size();
    return read && !holds(number) ? fmt::format("{} {}", text, refusal) : std::string();
  }, name);
}

}  // namespace detail

/// Numbers above 0.
inline CLI::Validator positive_number() {
  return detail::number_check("POSITIVE", "is not above 0", [](double number) { return number > 0; });
}

/// Numbers from 0 on.
inline CLI::Validator non_negative_number() {
  return detail::number_check("NONNEGATIVE", "is below 0", [](double number) { return number >= 0; });
}

}  // namespace proxel::tool
