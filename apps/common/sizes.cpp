#include "sizes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "format.hpp"

namespace proxel::tool {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 50;

// The power of 1,024 that a unit is; -1: it is none.
int power_of(std::string unit) {
  unit = CLI::detail::to_lower(unit);
  constexpr std::string_view prefixes = "kmgt";
  if (unit.empty() || unit == "b") return 0;
  const auto place = prefixes.find(unit.front());
  const std::string rest = unit.substr(1);
  if (place == std::string_view::npos || (!rest.empty() && rest != "b" && rest != "i" && rest != "ib")) return -1;
  return static_cast<int>(place) + 1;
}

}  // namespace

std::uint64_t bytes_of(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const int power = power_of(CLI::detail::trim_copy({end, text.data() + text.size()}));
  const double bytes = std::min(std::ldexp(number, 10 * power), std::ldexp(1, 60));  // beyond any limit
  if (error != std::errc() || power < 0 || !(bytes >= 0))
    throw CLI::ValidationError(fmt::format("'{}' was given; a size is a number and a unit, such as 1.5GiB", text));
  return static_cast<std::uint64_t>(bytes);
}

CLI::Option* take_size(CLI::Option* option, std::uint64_t least) {
  const auto convert = [least](std::string& text) -> std::string {
    const std::uint64_t bytes = bytes_of(text);
    if (bytes < least || bytes > most_bytes)
      return fmt::format("'{}' was given; {} to 1 PiB is allowed", text, as_bytes(least));
    text = std::to_string(bytes);
    return {};
  };
  return option->transform(CLI::Validator(convert, ""))->type_name("BYTES");
}

}  // namespace proxel::tool
