#include "index/load_ahead.hpp"

#include <system_error>

#include "session/stopwatch.hpp"
#include "watch.hpp"

namespace proxel::index {

LoadAhead::LoadAhead(Device& device, BlockSource& source, const std::vector<RowPart>& parts)
    : source_(source), parts_(parts), beside_(source.loads() && device.copies_beside()) {
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

bool LoadAhead::may_begin(std::size_t part) const {
  const bool two_places = parts_.size() > 1 && parts_[0].place != parts_[1].place;
  return part <= released_ + (two_places ? 1 : 0);
}

void LoadAhead::arrived(std::size_t part) {
  source_.finish_loading();
  const std::scoped_lock lock(mutex_);
  there_ = part;
  changed_.notify_all();
}

void LoadAhead::load(const std::stop_token& stop) {
  try {
    for (std::size_t part = 0; part < parts_.size() && !stop.stop_requested(); ++part) {
      bool now;
      {
        const std::scoped_lock lock(mutex_);
        now = may_begin(part);
      }
      if (!now) {
        arrived(part);
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [&] { return may_begin(part); })) return;
      }
      // The link works off what is left of the part before while the first piece of this one is written.
      source_.load(parts_[part], stop, [&] {
        if (now) arrived(part);
      });
    }
    arrived(parts_.size());
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
    // A search that was interrupted may have left some.
    source_.load(parts_[part], {}, [this] { source_.finish_loading(); });
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
