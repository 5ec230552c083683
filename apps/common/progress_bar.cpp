#include "progress_bar.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "console.hpp"
#include "interrupt.hpp"

namespace proxel::tool {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

std::optional<bool> progress_wanted;

constexpr std::size_t bar_width = 30;

// The bar of work whose end is known.
std::string filled_bar(double fraction) {
  const auto filled = static_cast<std::size_t>(fraction * bar_width);
  return fmt::format("[{:#<{}}{:.<{}}] {:3.0f} %", "", filled, "", bar_width - filled, fraction * 100);
}

// A block that goes to and fro.
std::string moving_bar(std::uint64_t step) {
  constexpr std::size_t block = 5, way = bar_width - block;
  const std::size_t turn = step % (2 * way);
  const std::size_t before = turn < way ? turn : 2 * way - turn;
  return fmt::format("[{:.<{}}{:#<{}}{:.<{}}]", "", before, "", block, "", way - before);
}

std::string duration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// A line that wraps could not be taken away. Titles are cut at a character's begin.
std::string shortened(const std::string& title, std::size_t most) {
  if (title.size() <= most) return title;
  std::size_t end = most > 1 ? most - 1 : 0;
  while (end > 0 && (static_cast<unsigned char>(title[end]) & 0xC0) == 0x80) --end;
  return title.substr(0, end) + "…";
}

}  // namespace

void want_progress(std::optional<bool> wanted) { progress_wanted = wanted; }

// A thread of its own, as what is shown for may not call for seconds.
class ProgressBar::Painter {
 public:
  explicit Painter(const std::string& title)
      : title_(one_line(title)), lines_(!stderr_is_terminal()), thread_([this] { paint_until_stopped(); }) {}

  ~Painter() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    wake_.notify_one();
    thread_.join();
    clear_status();
  }

  void update(std::uint64_t done, std::uint64_t total) {
    const std::lock_guard lock(mutex_);
    if (total_ == 0) {
      first_done_ = done;  // of work that was begun before
      first_told_ = Clock::now();
    }
    done_ = done;
    total_ = total;
  }

  void tell_time_left() {
    const std::lock_guard lock(mutex_);
    tells_time_left_ = true;
  }

  void set_title(const std::string& title) {
    const std::lock_guard lock(mutex_);
    title_ = one_line(title);
    begin_ = Clock::now();
    done_ = total_ = 0;
  }

 private:
  void paint_until_stopped() {
    std::unique_lock lock(mutex_);
    for (auto pause = 300ms; !wake_.wait_for(lock, pause, [this] { return stopped_; }); pause = 100ms)
      lines_ ? print_line() : paint();
  }

  std::string state(std::uint64_t step) const {
    if (total_ == 0) return moving_bar(step);
    return filled_bar(std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_)));
  }

  // ", 1 h 20 min left", where that can be known.
  std::string time_left() const {
    if (!tells_time_left_ || total_ == 0 || done_ <= first_done_ || done_ >= total_) return "";
    const double spent = std::chrono::duration<double>(Clock::now() - first_told_).count();
    if (spent < 1) return "";
    const double left = spent / static_cast<double>(done_ - first_done_) * static_cast<double>(total_ - done_);
    return fmt::format(", {} left", duration(left));
  }

  void paint() {
    const std::string bar = state(step_++);
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_).count();
    const std::string after = seconds < 2 ? std::string() : fmt::format(" {} s{}", seconds, time_left());
    const std::size_t taken = bar.size() + after.size() + 2, all = terminal_width();
    show_status(fmt::format("{} {}{}", shortened(title_, all > taken + 8 ? all - taken : 8), bar, after));
  }

  // Where lines stay: one for each thing that is done, and for each tenth of it.
  void print_line() {
    const std::uint64_t tenth = total_ == 0 ? 0 : 10 * std::min(done_, total_) / total_;
    if (title_ == printed_ && tenth == printed_tenth_) return;
    printed_ = title_;
    printed_tenth_ = tenth;
    print_to_stderr(total_ == 0 ? fmt::format("{}\n", title_)
                                : fmt::format("{} {} %{}\n", title_, 10 * tenth, time_left()));
  }

  std::string title_;
  bool lines_, stopped_ = false;
  bool tells_time_left_ = false;
  std::uint64_t done_ = 0, total_ = 0, step_ = 0, first_done_ = 0;
  std::string printed_;
  std::uint64_t printed_tenth_ = 0;
  Clock::time_point begin_ = Clock::now(), first_told_ = begin_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;  // last: it uses the others
};

ProgressBar::ProgressBar(const std::string& title) {
  throw_if_interrupted();
  if (!progress_wanted.value_or(stderr_is_terminal())) return;
  try {
    painter_ = std::make_unique<Painter>(title);
  } catch (const std::system_error&) {  // no thread to be had: the work goes on without a bar
  }
}

ProgressBar::~ProgressBar() = default;

void ProgressBar::update(std::uint64_t done, std::uint64_t total) {
  throw_if_interrupted();
  if (painter_) painter_->update(done, total);
}

void ProgressBar::set_title(const std::string& title) {
  throw_if_interrupted();
  if (painter_) painter_->set_title(title);
}

void ProgressBar::tell_time_left() {
  if (painter_) painter_->tell_time_left();
}

void ProgressBar::finish() {
  painter_.reset();
  throw_if_interrupted();
}

Progress ProgressBar::callback() {
  return [this](std::uint64_t done, std::uint64_t total) { update(done, total); };
}

}  // namespace proxel::tool
