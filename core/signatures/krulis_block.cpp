#include "signatures/krulis_block.hpp"

#include <algorithm>
#include <utility>

#include "watch.hpp"

namespace proxel::krulis {

void BlockQueue::push(Block& block) {
  {
    const std::scoped_lock lock(mutex_);
    block.finished = false;
    blocks_.push_back(&block);
  }
  pushed_.notify_one();
}

bool BlockQueue::wait_a_moment(const Block& block) {
  std::unique_lock lock(mutex_);
  return finished_.wait_for(lock, Watch::interval(), [&] { return block.finished; });
}

void BlockQueue::drop(const std::deque<std::unique_ptr<Block>>& blocks) {
  std::unique_lock lock(mutex_);
  dropping_ = true;
  for (Block* const waiting : blocks_) waiting->finished = true;
  blocks_.clear();
  finished_.wait(lock, [&] {
    return std::all_of(blocks.begin(), blocks.end(), [](const auto& block) { return block->finished; });
  });
  dropping_ = false;
}

Block* BlockQueue::pop() {
  Block* block = blocks_.front();
  blocks_.pop_front();
  return block;
}

Block* BlockQueue::take() {
  std::unique_lock lock(mutex_);
  pushed_.wait(lock, [&] { return closed_ || !blocks_.empty(); });
  if (blocks_.empty()) return nullptr;
  --idle_;
  return pop();
}

Block* BlockQueue::take_another() {
  const std::scoped_lock lock(mutex_);
  return blocks_.size() > idle_ ? pop() : nullptr;
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
