#pragma once

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "session/stopwatch.hpp"
#include "signatures/krulis_block.hpp"
#include "watch.hpp"

namespace proxel::krulis {

/// The blocks of one query that have been queued and not been taken back.
class PendingBlocks {
 public:
  /// @param wait_milliseconds  the time spent waiting is added here
  PendingBlocks(BlockQueue& queue, double& wait_milliseconds) : queue_(queue), wait_milliseconds_(wait_milliseconds) {}
  /// Blocks are in use until they are finished, whatever else went wrong.
  ~PendingBlocks() {
    if (!blocks_.empty()) queue_.drop(blocks_);
  }
  PendingBlocks(const PendingBlocks&) = delete;
  PendingBlocks& operator=(const PendingBlocks&) = delete;

  std::size_t size() const { return blocks_.size(); }

  void push(Block block) {
    std::vector<Block> one;
    one.push_back(std::move(block));
    push(std::move(one));
  }

  void push(std::vector<Block> blocks) {
    const std::size_t before = blocks_.size();
    try {
      std::vector<Block*> pushed;
      for (Block& block : blocks)
        pushed.push_back(blocks_.emplace_back(std::make_unique<Block>(std::move(block))).get());
      queue_.push(pushed);
    } catch (...) {
      blocks_.resize(before);  // nobody will finish them
      throw;
    }
  }

  /// The one that was queued first, when it is finished. Throws what went wrong with it.
  Block pop() {
    const session::Stopwatch waiting;
    while (!queue_.wait_a_moment(*blocks_.front())) Watch::glance();
    wait_milliseconds_ += waiting.milliseconds();
    Block block = std::move(*blocks_.front());
    blocks_.pop_front();
    if (block.failure) std::rethrow_exception(block.failure);
    return block;
  }

 private:
  BlockQueue& queue_;
  double& wait_milliseconds_;
  std::deque<std::unique_ptr<Block>> blocks_;
};

}  // namespace proxel::krulis
