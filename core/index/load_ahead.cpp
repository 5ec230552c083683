#include "index/load_ahead.hpp"

#include <system_error>

#include "session/stopwatch.hpp"
#include "watch.hpp"

namespace proxel::index {
namespace {

bool overlap(const RowPart& a, const RowPart& b) { return a.place < b.place + b.count && b.place < a.place + a.count; }

// How many parts are to be released before each may be brought: up to the last of them that lies where it will lie.
std::vector<std::size_t> released_before(const std::vector<RowPart>& parts) {
  std::vector<std::size_t> before(parts.size(), 0);
  for (std::size_t part = 1; part < parts.size(); ++part)
    for (std::size_t other = part; other-- > 0 && before[part] == 0;)
      if (overlap(parts[part], parts[other])) before[part] = other + 1;
  return before;
}

}  // namespace

LoadAhead::LoadAhead(Device& device, BlockSource& source, const std::vector<RowPart>& parts)
    : source_(source),
      parts_(parts),
      begins_after_(released_before(parts)),
      beside_(source.loads() && device.copies_beside()) {
  if (!beside_) return;
  try {
    loader_ = std::jthread([this](const std::stop_token& stop) { load(stop); });
  } catch (const std::system_error&) {
    beside_ = false;  // no thread to be had: take() brings them
  }
}

LoadAhead::~LoadAhead() {
  loader_.request_stop();
  if (loader_.joinable()) loader_.join();
}

void LoadAhead::arrive(std::size_t part, std::uint32_t but) {
  source_.finish_loading(but);
  const std::scoped_lock lock(mutex_);
  there_ = part;
  changed_.notify_all();
}

void LoadAhead::load(const std::stop_token& stop) {
  try {
    source_.finish_loading();  // what a search that was broken off may have left
    for (std::size_t part = 0; part < parts_.size() && !stop.stop_requested(); ++part) {
      bool now;
      {
        const std::scoped_lock lock(mutex_);
        now = may_begin(part);
      }
      if (!now) {
        arrive(part, 0);
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [&] { return may_begin(part); })) return;
      }
      // The first copy of this part is sent before the end of the part before is waited for, so that the link goes on.
      source_.load(parts_[part], stop, [&] {
        if (now) arrive(part, 1);
      });
    }
    arrive(parts_.size(), 0);
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    failure_ = std::current_exception();
    changed_.notify_all();
  }
}

void LoadAhead::take(std::size_t part, SearchTimes& times) {
  const session::Stopwatch waiting;
  if (beside_) {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, Watch::interval(), [&] { return there_ > part || failure_; })) {
      lock.unlock();
      Watch::glance();
      lock.lock();
    }
    if (there_ <= part) std::rethrow_exception(failure_);
  } else {
    source_.finish_loading();  // what a search that was broken off may have left
    source_.load(parts_[part], {}, [] {});
    source_.finish_loading();
  }
  times.upload_milliseconds += waiting.milliseconds();
}

void LoadAhead::release(std::size_t part) {
  const std::scoped_lock lock(mutex_);
  released_ = part + 1;
  changed_.notify_all();
}

}  // namespace proxel::index
