#include "progress_bar.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "console.hpp"
#include "interrupt.hpp"

namespace proxel::tool {

using namespace std::chrono_literals;

ProgressBar::ProgressBar(std::string title) : title_(std::move(title)) {}

ProgressBar::~ProgressBar() { erase(); }

void ProgressBar::erase() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

void ProgressBar::set_title(std::string title) { title_ = std::move(title); }

void ProgressBar::update(std::uint64_t done, std::uint64_t total) {
  throw_if_interrupted();
  if (!stderr_is_terminal() || total == 0) return;
  const auto now = Clock::now();
  if (now - start_ < 500ms || now - last_drawn_ < 100ms) return;
  last_drawn_ = now;
  constexpr std::uint64_t width = 30;
  const double fraction = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto filled = static_cast<std::uint64_t>(fraction * width);
  fmt::print(stderr, "\r\033[K{} [{:#<{}}{:.<{}}] {:3.0f} %", title_, "", filled, "",
             width - filled, fraction * 100);
  std::fflush(stderr);
  drawn_ = true;
}

Progress ProgressBar::callback() {
  return [this](std::uint64_t done, std::uint64_t total) { update(done, total); };
}

}  // namespace proxel::tool
