#include "lost_file.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "exit_code.hpp"

namespace proxel::tool {
namespace {

// It is there before any signal, as a handler may allocate nothing, and is never destroyed.
const std::string* beginning = nullptr;

void say(std::string_view text) { [[maybe_unused]] const auto told = write(STDERR_FILENO, text.data(), text.size()); }

// The next hexadecimal number of a text, which is shortened by it and by what follows it.
std::uintptr_t number(std::string_view& text) {
  std::uintptr_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value, 16).ptr;
  text.remove_prefix(std::min(text.size(), static_cast<std::size_t>(end - text.data()) + 1));
  return value;
}

// The path at the end of a line of /proc/self/maps, "from-to rights offset device inode   path", where the address lies
// between the two; otherwise nothing.
std::string_view path_of(std::string_view line, std::uintptr_t address) {
  const std::uintptr_t from = number(line), to = number(line);
  const std::size_t path = line.find('/');
  return address < from || address >= to || path == line.npos ? std::string_view() : line.substr(path);
}

// Nothing else can be done in a thread that needs the file's bytes.
void end_for_want_of_a_file(int, siginfo_t* signal, void*) {
  static std::atomic_flag begun;
  while (begun.test_and_set()) pause();  // another thread says it
  const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  std::array<char, 8192> line{};  // longer than the longest path
  std::size_t length = 0;
  std::string_view path;
  for (char next = 0; path.empty() && maps >= 0 && read(maps, &next, 1) == 1;) {
    if (next != '\n' && length < line.size()) line[length++] = next;
    if (next != '\n') continue;
    path = path_of({line.data(), length}, reinterpret_cast<std::uintptr_t>(signal->si_addr));
    length = 0;
  }
  say(*beginning);
  say(path.empty() ? "a file" : path);
  say(": became shorter while it was searched, or cannot be read any more; nothing was written\n");
  _exit(exit_bad_input);
}

}  // namespace

void name_lost_files(const std::string& program) {
  if (!beginning) beginning = new std::string(program + ": error: ");
  struct sigaction action{};
  action.sa_sigaction = end_for_want_of_a_file;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace proxel::tool
