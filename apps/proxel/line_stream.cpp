#include "line_stream.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>

#include <poll.h>
#include <unistd.h>

#include "interrupt.hpp"
#include "proxel/error.hpp"

namespace proxel::tool {
namespace {

using Clock = std::chrono::steady_clock;

// A signal may come between the look at its flag and the wait: looked at so often.
constexpr int look_up_milliseconds = 100;

// Whether there is something to read, or the end, before the time is over.
bool readable(int descriptor, int milliseconds) {
  pollfd waiting{descriptor, POLLIN, 0};
  const int ready = poll(&waiting, 1, milliseconds);
  if (ready < 0 && errno != EINTR) throw Error(ErrorCode::input_output, "standard input", std::strerror(errno));
  throw_if_interrupted();
  return ready > 0;
}

}  // namespace

bool LineStream::take(std::string& line) {
  const std::size_t end = pending_.find('\n', used_);
  if (end == std::string::npos && !(ended_ && used_ < pending_.size())) return false;
  line = pending_.substr(used_, end == std::string::npos ? end : end - used_);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  used_ = end == std::string::npos ? pending_.size() : end + 1;
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (first_ && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
  first_ = false;
  return true;
}

bool LineStream::read_more() {
  pending_.erase(0, used_);
  used_ = 0;
  char buffer[1 << 16];
  const ssize_t got = read(descriptor_, buffer, sizeof buffer);
  if (got < 0 && errno != EINTR) throw Error(ErrorCode::input_output, "standard input", std::strerror(errno));
  throw_if_interrupted();
  if (got > 0) pending_.append(buffer, static_cast<std::size_t>(got));
  ended_ = got == 0;
  return !ended_;
}

std::vector<std::string> LineStream::next(std::size_t most, int delay_milliseconds) {
  std::vector<std::string> lines;
  auto deadline = Clock::time_point::max();
  while (lines.size() < most) {
    std::string line;
    if (take(line)) {
      if (lines.empty()) deadline = Clock::now() + std::chrono::milliseconds(delay_milliseconds);
      lines.push_back(std::move(line));
      continue;
    }
    if (ended_) break;
    if (lines.empty()) {
      if (readable(descriptor_, look_up_milliseconds)) read_more();
      continue;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (!readable(descriptor_, std::max(0, static_cast<int>(left.count())))) break;
    read_more();
  }
  return lines;
}

}  // namespace proxel::tool
