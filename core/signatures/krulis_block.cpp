#include "signatures/krulis_block.hpp"

#include <algorithm>
#include <utility>

#include "watch.hpp"

namespace proxel::krulis {

void BlockQueue::holds(std::size_t device, std::uint32_t group, bool there) {
  const std::scoped_lock lock(mutex_);
  held_[device][group] = there;
  holders_[group] += there ? 1 : -1;
}

void BlockQueue::push(std::span<Block* const> blocks) {
  std::multimap<std::uint32_t, Block*> added;
  for (Block* block : blocks) {
    block->finished = false;
    added.emplace(block->group, block);
  }
  {
    const std::scoped_lock lock(mutex_);
    waiting_.merge(added);
  }
  pushed_.notify_all();
}

bool BlockQueue::wait_a_moment(const Block& block) {
  std::unique_lock lock(mutex_);
  return finished_.wait_for(lock, Watch::interval(), [&] { return block.finished; });
}

void BlockQueue::drop(const std::deque<std::unique_ptr<Block>>& blocks) {
  std::unique_lock lock(mutex_);
  dropping_ = true;
  for (const auto& [group, block] : waiting_) block->finished = true;
  waiting_.clear();
  finished_.wait(lock, [&] {
    return std::all_of(blocks.begin(), blocks.end(), [](const auto& block) { return block->finished; });
  });
  dropping_ = false;
}

Block* BlockQueue::pop(std::size_t device) {
  // A group that the device has comes before all others.
  const auto holders = [&](std::uint32_t group) { return held_[device][group] ? 0 : holders_[group] + 1; };
  auto best = waiting_.begin();
  for (auto one = best; one != waiting_.end(); one = waiting_.upper_bound(one->first))
    if (holders(one->first) < holders(best->first)) best = one;
  Block* const block = best->second;
  waiting_.erase(best);
  return block;
}

Block* BlockQueue::take(std::size_t device) {
  std::unique_lock lock(mutex_);
  pushed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
  if (waiting_.empty()) return nullptr;
  --idle_;
  return pop(device);
}

Block* BlockQueue::take_another(std::size_t device) {
  const std::scoped_lock lock(mutex_);
  return waiting_.size() > idle_ ? pop(device) : nullptr;
}

void BlockQueue::finish(Block& block, std::exception_ptr failure, bool idle) {
  {
    const std::scoped_lock lock(mutex_);
    block.failure = std::move(failure);
    block.finished = true;
    if (idle) ++idle_;
  }
  finished_.notify_all();
}

void BlockQueue::close() {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  pushed_.notify_all();
}

}  // namespace proxel::krulis
