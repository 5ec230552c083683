#include "console.hpp"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace proxel::tool {
namespace {

bool colours_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return !(no_color && *no_color) && !(terminal && std::string_view(terminal) == "dumb");
}

// One line, whatever a file name or a driver put into the text.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char character : text) {
    const auto code = static_cast<unsigned char>(character);
    line += code < 0x20 || code == 0x7F ? ' ' : character;
  }
  return line;
}

}  // namespace

bool stdout_has_colour() {
  static const bool has = isatty(STDOUT_FILENO) && colours_wanted();
  return has;
}

bool stderr_is_terminal() {
  static const bool is = isatty(STDERR_FILENO);
  return is;
}

std::string styled(Style style, std::string_view text) {
  if (style == Style::plain || !stdout_has_colour()) return std::string(text);
  const char* code = "";
  switch (style) {
    case Style::plain: break;
    case Style::strong: code = "1"; break;
    case Style::faint: code = "2"; break;
    case Style::good: code = "32"; break;
    case Style::bad: code = "1;31"; break;
  }
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

void report_error(bool json, std::string_view code, std::string_view subject,
                  std::string_view message) {
  if (json) {
    const nlohmann::ordered_json object = {
        {"error", {{"code", code}, {"subject", subject}, {"message", message}}}};
    const auto replace = nlohmann::ordered_json::error_handler_t::replace;
    fmt::print("{}\n", object.dump(2, ' ', false, replace));
    std::fflush(stdout);
  }
  const bool colour = stderr_is_terminal() && colours_wanted();
  fmt::print(stderr, "proxel: {}error{}: {}: {}\n", colour ? "\033[1;31m" : "",
             colour ? "\033[0m" : "", one_line(subject), one_line(message));
}

void warn(std::string_view message) {
  fmt::print(stderr, "proxel: warning: {}\n", one_line(message));
}

std::string reason(const Error& error) {
  const std::string what = error.what();
  const std::string prefix = error.subject() + ": ";
  return what.starts_with(prefix) ? what.substr(prefix.size()) : what;
}

}  // namespace proxel::tool
