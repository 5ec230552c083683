#include "cpu/workers.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

#include "watch.hpp"

namespace proxel::cpu {
namespace {

// Thrown in a body whose loop has ended.
struct Ended {};

}  // namespace

thread_local Workers::Loop* Workers::current_ = nullptr;

struct Workers::Loop {
  Task task;
  std::uint64_t count;
  Watch* watch;  // that looks where the loop was called, or null
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> ended{false};
  std::mutex mutex;
  std::exception_ptr failure;

  // @param looks  whose Watch it is
  void take_part(bool looks) {
    Loop* const outer = std::exchange(current_, this);
    try {
      for (std::uint64_t item = next++; item < count; item = next++) {
        task.call(task.body, item);
        if (looks) look();
      }
    } catch (...) {
      fail(std::current_exception());
    }
    current_ = outer;
  }

  void fail(std::exception_ptr why) {
    next = count;
    const std::scoped_lock lock(mutex);
    if (!failure) failure = std::move(why);
    ended = true;
  }

  void look() {
    if (!watch) return;
    const std::uint64_t begun = std::min(next.load(std::memory_order_relaxed), count);
    watch->look(static_cast<double>(begun) / static_cast<double>(count));
  }
};

Workers::Workers(std::uint32_t thread_count) {
  try {
    for (std::uint32_t i = 1; i < thread_count; ++i) threads_.emplace_back([this] { serve(); });
  } catch (const std::exception&) {
    // system_error or, where there is no memory for a thread or for the list of them, bad_alloc. The
    // threads that did start wait for work; leaving with an exception would end the program for them.
  }
}

Workers::~Workers() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  started_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::run(std::uint64_t count, Task task) {
  Loop loop{task, count, Watch::current(), {}, {}, {}, {}};
  // Waking threads costs more than one item's worth of waiting.
  const bool alone = threads_.empty() || count < 2;
  if (!alone) {
    const std::scoped_lock lock(mutex_);
    loop_ = &loop;
    busy_ = threads_.size();
    ++generation_;
    started_.notify_all();
  }
  loop.take_part(true);
  if (!alone) wait_for_others(loop);
  if (loop.failure) std::rethrow_exception(loop.failure);
}

void Workers::wait_for_others(Loop& loop) {
  std::unique_lock lock(mutex_);
  const auto over = [this] { return busy_ == 0; };
  if (!loop.watch) finished_.wait(lock, over);
  while (!finished_.wait_for(lock, Watch::interval(), over)) {
    lock.unlock();
    try {
      loop.look();
    } catch (...) {
      loop.fail(std::current_exception());
    }
    lock.lock();
  }
  loop_ = nullptr;
}

void Workers::look() {
  if (!current_) return;
  if (current_->ended) throw Ended();
  // Threads of a pool have none.
  if (Watch::current()) current_->look();
}

void Workers::serve() {
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    started_.wait(lock, [&] { return stopping_ || generation_ != seen; });
    if (stopping_) return;
    seen = generation_;
    Loop* loop = loop_;
    lock.unlock();
    loop->take_part(false);
    lock.lock();
    if (--busy_ == 0) finished_.notify_one();
  }
}

}  // namespace proxel::cpu
