#include "groundtruth/read_ahead.hpp"

#include <chrono>
#include <utility>

namespace proxel::tool {

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void ReadAhead::begin(std::uint64_t first, std::uint64_t count) {
  {
    const std::lock_guard lock(mutex_);
    first_ = first;
    count_ = count;
    wanted_ = true;
  }
  changed_.notify_all();
}

RowBlock ReadAhead::take(const std::function<void()>& look) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, 50ms, [this] { return block_ || failure_; })) {
    lock.unlock();
    look();
    lock.lock();
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return *std::exchange(block_, std::nullopt);
}

void ReadAhead::give_back(RowBlock&& done) {
  const std::lock_guard lock(mutex_);
  spare_ = std::move(done.memory);
}

void ReadAhead::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return wanted_ || stopped_; });
    if (stopped_) return;
    wanted_ = false;
    const std::uint64_t first = first_, count = count_;
    RowMemory memory = std::exchange(spare_, RowMemory{});
    lock.unlock();
    std::optional<RowBlock> block;
    std::exception_ptr failure;
    try {
      block = source_.load(first, count, std::move(memory), stopped_);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    block_ = std::move(block);
    failure_ = failure;
    changed_.notify_all();
  }
}

}  // namespace proxel::tool
