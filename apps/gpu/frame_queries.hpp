#pragma once

#include <array>

#include "gpu/frames.hpp"

namespace gpu {

/// Timestamps of the frames that are in flight. Each has a pool of its own: a pool that a frame uses may not be reset, whichever
/// of its queries are meant, as the validation layer of 2026 has it.
class FrameQueries {
 public:
  /// @param count  timestamps of a frame
  FrameQueries(Gpu& gpu, std::uint32_t count);
  ~FrameQueries();
  FrameQueries(const FrameQueries&) = delete;
  FrameQueries& operator=(const FrameQueries&) = delete;

  VkQueryPool pool(std::uint32_t slot) const { return pools_[slot]; }
  /// Resets the pool of a slot whose frame has ended.
  void begin(std::uint32_t slot);

 private:
  Gpu& gpu_;
  std::uint32_t count_;
  std::array<VkQueryPool, frames_in_flight> pools_{};
};

}  // namespace gpu
