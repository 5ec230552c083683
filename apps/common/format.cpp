#include "format.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace proxel::tool {

std::string with_separators(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string separated;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) separated += ',';
    separated += digits[i];
  }
  return separated;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", with_separators(count), count == 1 ? one : many);
}

std::string as_bytes(std::uint64_t bytes) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, units[unit]);
}

std::string significant(double value) {
  if (!std::isfinite(value)) return "–";
  if (value == 0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const int decimals = std::clamp(3 - magnitude, 0, 6);
  if (value >= 1000) return with_separators(static_cast<std::uint64_t>(std::llround(value)));
  return fmt::format("{:.{}f}", value, decimals);
}

std::string as_speed_up(double ratio) {
  if (!std::isfinite(ratio) || ratio <= 0) return "–";
  if (ratio < 10) return fmt::format("{:.2f} ×", ratio);
  return fmt::format("{} ×", with_separators(static_cast<std::uint64_t>(std::llround(ratio))));
}

std::string as_float(float value) { return fmt::format("{}", value); }

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

std::string shell_command(int count, char** words) {
  std::string command;
  for (int position = 0; position < count; ++position) {
    std::string word = words[position];
    // Where the program was found matters less than that it can be pasted.
    if (position == 0) word = word.substr(word.rfind('/') + 1);
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char character) {
      const auto code = static_cast<unsigned char>(character);
      return std::isalnum(code) || std::string_view("-_./:=,+@%").find(character) != std::string_view::npos;
    });
    if (!command.empty()) command += ' ';
    if (plain) {
      command += word;
      continue;
    }
    command += '\'';
    for (const char character : word) command += character == '\'' ? "'\\''" : std::string(1, character);
    command += '\'';
  }
  return command;
}

}  // namespace proxel::tool
