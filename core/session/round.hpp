#pragma once

#include <memory>

#include "proxel/neighbors.hpp"
#include "proxel/plan.hpp"
#include "session/memory_pool.hpp"

namespace proxel::session {

/// A plan with memory for the queries of a block and for their answers, as the plan requires it, and with its recorded
/// commands, submitted once per block. Outlived by what the plan was made of, by the pool and by the commands.
class Round {
 public:
  /// What the plan does not say.
  struct Memory {
    std::uint64_t query_bytes = 0;   ///< of the queries, where they take less than the plan requires; 0: as it does
    bool queries_on_device = false;  ///< they are written to device_queries(), not to queries()
    bool answers_on_device = false;  ///< the nearest stay in device_indices() and device_distances()
    std::uint64_t matches = 0;       ///< slots for what lies within a radius; halves make room themselves
  };

  /// @param pool      of its memory
  /// @param commands  that it records anew, of the same timing; they may have been another's
  Round(Device& device, MemoryPool& pool, Commands& commands, std::unique_ptr<Plan> plan, const Memory& memory,
        Timing timing);

  const Plan& plan() const { return *plan_; }

  // What the next submission asks: memory that the host writes, in order, and does not read, as much of each as the plan requires.
  void* queries() const { return queries_.mapped(); }
  void* query_offsets() const { return query_offsets_.mapped(); }
  void* filter() const { return filter_.mapped(); }
  void* self() const { return self_.mapped(); }
  void* after_indices() const { return after_indices_.mapped(); }
  void* after_distances() const { return after_distances_.mapped(); }
  /// Where they are written by the device.
  BufferView device_queries() const { return queries_.device.view(); }
  /// Where the device writes the bounds of a search that has them; empty of others.
  BufferView device_bounds() const { return bounds_.view(); }
  /// The nearest of the latest block, where they stay.
  BufferView device_indices() const { return indices_.view(); }
  BufferView device_distances() const { return distances_.view(); }

  /// Submits the block.
  void start();
  /// Waits for it. Adds to the times.
  void finish(SearchTimes& times);
  /// Both, and in between what the host does beside it.
  template <typename Beside>
  void run(SearchTimes& times, const Beside& beside) {
    start();
    try {
      beside();
    } catch (...) {
      finish(times);
      throw;
    }
    finish(times);
  }
  void run(SearchTimes& times) {
    run(times, [] {});
  }

  /// The answers of the latest block, of as many slots as the plan requires; all distances have no indices.
  const std::uint32_t* indices() const { return static_cast<const std::uint32_t*>(indices_.mapped()); }
  const float* distances() const {
    return static_cast<const float*>((distances_read_ ? distances_read_ : distances_).mapped());
  }

  struct Matches {
    std::uint64_t count = 0;  ///< of all queries of the block
    bool appended = false;
  };
  /// Runs a block within a radius and appends its matches, unless they are more than there is room for.
  /// @param most  matches that there may be room for
  Matches append_matches(std::uint64_t most, RangeNeighbors& found, SearchTimes& times);

 private:
  // Memory that the host writes, and a copy of it next to the rows, as every workgroup reads it; where the host writes memory of the device
  // there is no copy.
  struct Copied {
    MemoryPool::Lent host, device;

    void* mapped() const { return host.mapped(); }
    BufferView view() const { return device ? device.view() : host.view(); }
    bool record(Recording& recording) const;
  };
  Copied copied(std::uint64_t bytes);
  void make_room(std::uint64_t slots);
  void record(SearchPart part);
  void record_fill();
  void read(std::uint64_t count, std::uint32_t* indices, float* distances);

  Device& device_;
  MemoryPool& pool_;
  std::unique_ptr<Plan> plan_;
  SearchRequirements needed_;
  bool timed_;
  Timing timing_;
  SearchBuffers buffers_;
  Copied queries_, query_offsets_, filter_, self_;
  MemoryPool::Lent after_indices_, after_distances_, scratch_, indices_, distances_, distances_read_, offsets_,
      offsets_read_, matches_read_, bounds_;
  std::uint64_t slots_ = 0;  // for matches
  Commands& commands_;
  // They go first: where waiting for them failed they still use the memory.
  std::unique_ptr<Commands> fill_, reading_;
};

}  // namespace proxel::session
