#pragma once

// A device with signatures, and the thread that brings it blocks, and groups of signatures that it lacks: the host's
// other threads are free while it works.

#include <array>
#include <cstdint>
#include <memory>
#include <thread>

#include "proxel/device.hpp"
#include "proxel/papers/krulis.hpp"
#include "signatures/held_groups.hpp"
#include "signatures/krulis_block.hpp"

namespace proxel::krulis {

class BlockDevice {
 public:
  /// What is searched.
  struct Collection {
    const Signatures& signatures;  ///< outlive the object where some device does not hold all of them
    const Signatures& pivots;      ///< that each device has
    const Division& division;      ///< outlives the object
  };

  /// Uploads the signatures that there is room for and has the pass prepared.
  /// @param number  of the device, for the queue and the division
  BlockDevice(Device& device, std::size_t number, const Collection& collection, const KrulisOptions& options,
              BlockQueue& queue);
  /// Returns when the thread has ended: close the queue first.
  ~BlockDevice();

  /// The thread may be started when nothing else uses the device.
  void start();

  /// How many blocks there were since reset(), and their time; read while none is waited for.
  std::uint64_t blocks() const { return blocks_; }
  double milliseconds() const { return milliseconds_; }
  /// How long it took to bring groups of signatures, as far as nothing else was done meanwhile.
  double bringing_milliseconds() const { return bringing_milliseconds_; }
  void reset();

 private:
  /// What a recording depends on: another block with the same is submitted without recording.
  struct Shape {
    GroupAddress at;  // where the group lies, and its parts
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
  void make_ready(const Block& block, Slot& slot, const Block* running);
  GroupAddress bring(std::uint32_t group, const Block* running);
  void start(Slot& slot);
  /// Throws where nobody wants the block.
  void look() const;
  void write(const Block& block, Slot& slot) const;
  void record(const Block& block, const Shape& shape, const GroupAddress& at, Slot& slot);
  /// The number of the first object of the block's group.
  std::uint32_t first_of(const Block& block) const;
  void collect(Block& block, Slot& slot);

  Device& device_;
  std::size_t number_;
  BlockQueue& queue_;
  const Groups& groups_;
  SqfdPrecision precision_;
  passes::SqfdBlockParameters parameters_{};  // but for those of a block
  HeldGroups held_;
  std::array<Slot, 2> slots_;
  std::uint64_t blocks_ = 0;
  double milliseconds_ = 0, bringing_milliseconds_ = 0;
  std::thread thread_;
};

}  // namespace proxel::krulis
