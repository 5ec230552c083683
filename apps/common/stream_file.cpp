#include "stream_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "interrupt.hpp"
#include "proxel/error.hpp"

namespace proxel::tool {
namespace {

// A signal may come between the look at its flag and the wait: looked at so often.
constexpr int look_up_milliseconds = 100;
constexpr std::size_t block = std::size_t{1} << 16;

[[noreturn]] void fail(const std::string& path) {
  throw Error(ErrorCode::input_output, name_of(path), std::strerror(errno));
}

// A descriptor that is closed unless it is the process's own standard input.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path) {
    if (path == "-") {
      take_standard_input();
      return;
    }
    // A pipe is opened without waiting for who writes to it: that wait could not be ended.
    number_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (number_ < 0) fail(path);
    opened_ = true;
  }
  ~Descriptor() {
    if (opened_) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  void take_standard_input() {
    static bool taken = false;
    if (taken)
      throw Error(ErrorCode::invalid_argument, "standard input", "was read already; one file alone can be '-'");
    if (isatty(STDIN_FILENO))
      throw Error(ErrorCode::invalid_argument, "standard input",
                  "is a terminal; '-' reads what another program writes or a file holds: "
                  "proxel ... - < rows.csv");
    taken = true;
    number_ = STDIN_FILENO;
  }

  int number_ = -1;
  bool opened_ = false;
};

// Waits until there is something to read, or the end.
void wait(int descriptor, const std::string& path) {
  for (;;) {
    throw_if_interrupted();
    pollfd waiting{descriptor, POLLIN, 0};
    const int ready = poll(&waiting, 1, look_up_milliseconds);
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) fail(path);
  }
}

}  // namespace

bool is_stream(const std::string& path) {
  if (path == "-") return true;
  std::error_code ignored;
  const std::filesystem::file_type type = std::filesystem::status(path, ignored).type();
  return type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::socket;
}

std::string name_of(const std::string& path) { return path == "-" ? "standard input" : path; }

std::vector<std::byte> read_stream(const std::string& path) try {
  const Descriptor descriptor(path);
  std::vector<std::byte> content;
  for (;;) {
    wait(descriptor.number(), path);
    const std::size_t before = content.size();
    content.resize(before + block);
    const ssize_t got = read(descriptor.number(), content.data() + before, block);
    content.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return content;
    if (got < 0 && errno != EINTR && errno != EAGAIN) fail(path);
  }
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory, name_of(path), "this machine's memory does not hold its content");
}

}  // namespace proxel::tool
