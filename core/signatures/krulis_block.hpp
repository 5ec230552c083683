#pragma once

// Blocks of a query and N objects, and the queue in which they wait for a device.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace proxel::krulis {

/// One signature, in memory of somebody else.
struct SignatureView {
  std::span<const float> centroids;
  std::span<const float> weights;
};

/// N + 1 signatures (Krulis et al. 2011, section 4.1), and the N distances when it has been
/// worked off.
struct Block {
  SignatureView query;
  std::uint32_t first = 0;  ///< the objects are first … first + count - 1,
  std::uint32_t count = 0;
  std::vector<std::uint32_t> numbers;  ///< or, where there are any, these
  std::uint32_t group = 0;             ///< that has them all

  std::vector<float> distances;
  std::exception_ptr failure;
  bool finished = false;

  std::uint32_t object(std::size_t place) const {
    return numbers.empty() ? first + static_cast<std::uint32_t>(place) : numbers[place];
  }
};

/// Any thread may put blocks in; each device's thread takes them out: those first whose group of signatures the device
/// has, then those of a group that the fewest devices have; else as they came.
class BlockQueue {
 public:
  /// @param groups  of signatures; that of pivots, which all devices have, is one more
  BlockQueue(std::size_t devices, std::size_t groups)
      : idle_(devices), held_(devices, std::vector<bool>(groups + 1)), holders_(groups + 1) {}

  /// A device has a group now, or has it no longer.
  void holds(std::size_t device, std::uint32_t group, bool there);

  /// Devices see all of the blocks or none: each takes first what belongs to groups that it has. All are queued, or none where this throws.
  /// @param blocks  stay where they are until they are finished
  void push(std::span<Block* const> blocks);
  void push(Block& block) {
    Block* const one[] = {&block};
    push(one);
  }
  /// Returns when the block is finished, or a moment (Watch) has passed: whether it is.
  bool wait_a_moment(const Block& block);
  /// Nobody wants the blocks that are in the queue or with a device, which are all of `blocks`: returns when
  /// they are finished, as soon as may be.
  void drop(const std::deque<std::unique_ptr<Block>>& blocks);
  /// For a device at work: whether its block is one of those that nobody wants.
  bool dropping() const { return dropping_; }

  /// For a device without work: the next block, when there is one; null when there will be none.
  Block* take(std::size_t device);
  /// For a device at work: a block to be made ready meanwhile, unless all there are belong to
  /// devices without work; null where there is none.
  Block* take_another(std::size_t device);
  /// The block has its distances, or the reason why not.
  /// @param idle  whether the device has no other
  void finish(Block& block, std::exception_ptr failure, bool idle);
  /// take() returns null from now on.
  void close();

 private:
  Block* pop(std::size_t device);

  std::mutex mutex_;
  std::condition_variable pushed_;
  std::condition_variable finished_;
  std::multimap<std::uint32_t, Block*> waiting_;  // by group; those of one as they came
  std::size_t idle_;
  std::vector<std::vector<bool>> held_;  // of each device: whether it has the group
  std::vector<std::uint32_t> holders_;   // of each group: how many devices have it
  bool closed_ = false;
  std::atomic<bool> dropping_{false};
};

}  // namespace proxel::krulis
