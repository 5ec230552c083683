#pragma once

// A device with the signatures, and the thread that brings it blocks: the host's other threads
// are free while it works.

#include <array>
#include <cstdint>
#include <memory>
#include <thread>

#include "proxel/device.hpp"
#include "proxel/papers/krulis.hpp"
#include "signatures/krulis_block.hpp"

namespace proxel::krulis {

class BlockDevice {
 public:
  /// Uploads the signatures and has the pass prepared.
  BlockDevice(Device& device, const Signatures& signatures, double alpha, SqfdPrecision precision, BlockQueue& queue);
  /// Returns when the thread has ended: close the queue first.
  ~BlockDevice();

  /// The thread may be started when nothing else uses the device.
  void start();

  /// How many blocks there were since reset(), and their time; read while none is waited for.
  std::uint64_t blocks() const { return blocks_; }
  double milliseconds() const { return milliseconds_; }
  void reset();

 private:
  /// What a recording depends on: another block with the same is submitted without recording.
  struct Shape {
    std::uint32_t first = 0, count = 0, query_length = 0;
    bool numbered = false;

    bool operator==(const Shape&) const = default;
  };
  /// Memory of a block: two, so that one is made ready while the other is worked off.
  struct Slot {
    std::unique_ptr<Buffer> given, near;         // query and numbers, on the host's side and the device's
    std::unique_ptr<Buffer> distances, results;  // the same of what comes back
    std::unique_ptr<Commands> commands;
    Shape recorded;
  };

  void serve();
  void make_ready(const Block& block, Slot& slot);
  void record(const Block& block, const Shape& shape, Slot& slot);
  void collect(Block& block, Slot& slot);

  Device& device_;
  BlockQueue& queue_;
  SqfdPrecision precision_;
  passes::SqfdBlockParameters parameters_{};  // but for those of a block
  std::unique_ptr<Buffer> centroids_, weights_, offsets_;
  std::array<Slot, 2> slots_;
  std::uint64_t blocks_ = 0;
  double milliseconds_ = 0;
  std::thread thread_;
};

}  // namespace proxel::krulis
