#pragma once

#include <array>

#include "gpu/gpu.hpp"

namespace gpu {

inline constexpr std::uint32_t frames_in_flight = 2;

/// A frame that is recorded or executed.
struct InFlight {
  VkCommandBuffer commands = VK_NULL_HANDLE;
  VkFence finished = VK_NULL_HANDLE;
  VkSemaphore acquired = VK_NULL_HANDLE;
  bool submitted = false;
};

/// The frames that may be on their way at once.
class Frames {
 public:
  explicit Frames(Gpu& gpu);
  ~Frames();
  Frames(const Frames&) = delete;
  Frames& operator=(const Frames&) = delete;

  InFlight& slot(std::uint32_t number) { return slots_[number]; }
  /// Waits until the frame that had the slot before is over. Whether there was one.
  bool take(std::uint32_t number);
  VkCommandBuffer begin(std::uint32_t number);
  /// @param drawn  signalled at its end, where its image was acquired and is presented; null otherwise
  void submit(std::uint32_t number, VkSemaphore drawn);

 private:
  Gpu& gpu_;
  std::array<InFlight, frames_in_flight> slots_;
};

}  // namespace gpu
