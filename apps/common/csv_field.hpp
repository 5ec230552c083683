#pragma once

#include <string>
#include <string_view>

namespace proxel::tool {

/// A text as a field of comma-separated values (RFC 4180): in quotation marks where it
/// has to be.
inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace proxel::tool
