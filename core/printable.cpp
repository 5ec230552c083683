#include "printable.hpp"

#include <cstdint>

#include <fmt/format.h>

namespace proxel {
namespace {

// A character of UTF-8 and the bytes that it takes; 0 bytes where none begins there.
struct Character {
  std::uint32_t value = 0;
  std::size_t bytes = 0;
};

Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t value = lead & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0u) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3Fu);
  }
  // Longer than it has to be, half of a pair, or past the last.
  const std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < least[bytes] || (value >= 0xD800 && value < 0xE000) || value > 0x10FFFF) return {};
  return {value, bytes};
}

bool shows(std::uint32_t value) {
  const bool control = value < 0x20 || (value >= 0x7F && value < 0xA0);
  const bool separator = value == 0x2028 || value == 0x2029;
  const bool direction = value == 0x200E || value == 0x200F || value == 0x061C ||
                         (value >= 0x202A && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069);
  return !control && !separator && !direction;
}

// Adds the first character of a text, shown; returns its bytes.
std::size_t add_first(std::string& to, std::string_view text) {
  const Character one = first_of(text);
  if (one.bytes == 0) {
    to += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(text[0]));
    return 1;
  }
  if (shows(one.value))
    to += text.substr(0, one.bytes);
  else if (one.value == '\n')
    to += "\\n";
  else if (one.value == '\r')
    to += "\\r";
  else if (one.value == '\t')
    to += "\\t";
  else if (one.value < 0x80)
    to += fmt::format("\\x{:02x}", one.value);
  else
    to += fmt::format("\\u{{{:x}}}", one.value);
  return one.bytes;
}

std::string shown(std::string_view text) {
  std::string line;
  while (!text.empty()) text.remove_prefix(add_first(line, text));
  return line;
}

bool continues(char byte) { return (static_cast<std::uint8_t>(byte) & 0xC0u) == 0x80; }

}  // namespace

std::string printable(std::string_view text, std::size_t most_bytes) {
  constexpr std::string_view gap = "…";
  // What is shown takes no fewer bytes than what is given: of a long text only the ends matter.
  const bool ends_alone = text.size() > 2 * most_bytes;
  const std::string line =
      ends_alone ? shown(text.substr(0, most_bytes)) + shown(text.substr(text.size() - most_bytes)) : shown(text);
  if (line.size() <= most_bytes) return line;
  std::size_t first = (most_bytes - gap.size()) / 2, last = line.size() - (most_bytes - gap.size() - first);
  while (first > 0 && continues(line[first])) --first;
  while (last < line.size() && continues(line[last])) ++last;
  return line.substr(0, first) + std::string(gap) + line.substr(last);
}

}  // namespace proxel
