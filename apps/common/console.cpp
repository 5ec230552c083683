#include "console.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "notes.hpp"

namespace proxel::tool {
namespace {

std::string program_name = "proxel";
bool silent = false;
bool plain = false;

bool colours_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return !plain && !(no_color && *no_color) && !(terminal && std::string_view(terminal) == "dumb");
}

}  // namespace

void be_silent() { silent = true; }

void be_plain() { plain = true; }

void set_program_name(std::string name) { program_name = std::move(name); }

bool stdout_has_colour() {
  static const bool terminal = isatty(STDOUT_FILENO);
  return terminal && colours_wanted();
}

bool stderr_is_terminal() {
  static const bool is = isatty(STDERR_FILENO);
  return is;
}

std::string styled(Style style, std::string_view text) {
  if (style == Style::plain || !stdout_has_colour()) return std::string(text);
  const char* code = "";
  switch (style) {
    case Style::plain:
      break;
    case Style::strong:
      code = "1";
      break;
    case Style::faint:
      code = "2";
      break;
    case Style::good:
      code = "32";
      break;
    case Style::bad:
      code = "1;31";
      break;
  }
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char character : text) {
    const auto code = static_cast<unsigned char>(character);
    line += code < 0x20 || code == 0x7F ? ' ' : character;
  }
  return line;
}

std::string error_object(std::string_view code, std::string_view subject, std::string_view message) {
  const nlohmann::ordered_json object = {{"error", {{"code", code}, {"subject", subject}, {"message", message}}}};
  return object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void report_error(bool json, std::string_view code, std::string_view subject, std::string_view message) {
  clear_status();
  if (json && !silent) {
    // Not by fmt, which throws where stdout is what is broken.
    std::fputs(error_object(code, subject, message).c_str(), stdout);
    std::fflush(stdout);
  }
  const bool colour = stderr_is_terminal() && colours_wanted();
  const std::string about = subject == program_name ? "" : one_line(subject) + ": ";
  print_to_stderr(fmt::format("{}: {}error{}: {}{}\n", program_name, colour ? "\033[1;31m" : "",
                              colour ? "\033[0m" : "", about, one_line(message)));
}

void warn(std::string_view message) {
  clear_status();
  print_to_stderr(fmt::format("{}: warning: {}\n", program_name, one_line(message)));
}

void print_to_stderr(std::string_view text) {
  if (!silent) std::fwrite(text.data(), 1, text.size(), stderr);
}

namespace {
std::mutex status_mutex;
bool status_shown = false;
}  // namespace

void show_status(std::string_view line) {
  const std::lock_guard lock(status_mutex);
  print_to_stderr(fmt::format("\r\033[K{}", line));
  status_shown = true;
}

void clear_status() {
  const std::lock_guard lock(status_mutex);
  if (std::exchange(status_shown, false)) print_to_stderr("\r\033[K");
}

void flush_stdout() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw CannotWrite("standard output", errno == 0 ? std::string("cannot be written")
                                                  : fmt::format("cannot be written: {}", std::strerror(errno)));
}

void print_note(std::string_view message) {
  clear_status();
  print_to_stderr(fmt::format("{}: note: {}\n", program_name, one_line(message)));
}

std::string reason(const Error& error) {
  const std::string what = error.what();
  const std::string prefix = error.subject() + ": ";
  return what.starts_with(prefix) ? what.substr(prefix.size()) : what;
}

}  // namespace proxel::tool
