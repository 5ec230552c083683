#include "cpu/workers.hpp"

#include <atomic>
#include <exception>

namespace proxel::cpu {

struct Workers::Loop {
  Task task;
  std::uint64_t count;
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;

  void take_part() {
    try {
      for (std::uint64_t item = next++; item < count; item = next++) task.call(task.body, item);
    } catch (...) {
      next = count;
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
    }
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
  Loop loop{task, count, {}, {}, {}};
  // Waking threads costs more than one item's worth of waiting.
  const bool alone = threads_.empty() || count < 2;
  if (!alone) {
    const std::scoped_lock lock(mutex_);
    loop_ = &loop;
    busy_ = threads_.size();
    ++generation_;
    started_.notify_all();
  }
  loop.take_part();
  if (!alone) {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return busy_ == 0; });
    loop_ = nullptr;
  }
  if (loop.failure) std::rethrow_exception(loop.failure);
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
    loop->take_part();
    lock.lock();
    if (--busy_ == 0) finished_.notify_one();
  }
}

}  // namespace proxel::cpu
