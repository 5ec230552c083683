#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>

#include "functions.hpp"
#include "proxel/device.hpp"
#include "proxel/vulkan.hpp"

namespace proxel::vulkan {

/// Copies on a queue that transfers alone, beside what the device computes. Each signals the next value of one timeline
/// semaphore, which work that is submitted behind copies waits for, so that it sees what they wrote.
///
/// One thread starts copies and waits for them; another may ask what is to be seen meanwhile.
class Copies {
 public:
  /// @param handles  with a transfer queue
  Copies(const VolkDeviceTable& table, const DeviceHandles& handles);
  ~Copies();
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  void start(const BufferView& from, const BufferView& to);
  /// Returns when all copies but the latest have finished. @param but  how many may still run
  void wait(std::uint32_t but);

  VkSemaphore semaphore() const { return semaphore_; }
  /// The value that the next submitted work waits for, so that it sees what copies wrote that have been waited for since
  /// this was last asked. They have finished: it waits for nothing that still runs.
  std::optional<std::uint64_t> to_be_seen();
  /// Work that waits for that value has been submitted.
  void seen(std::uint64_t value);

 private:
  void create();
  void destroy();
  void wait_for(std::uint64_t value);

  const VolkDeviceTable& table_;
  DeviceHandles handles_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  // They take turns: one is recorded while others are executed.
  std::array<VkCommandBuffer, 8> commands_{};
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
  std::mutex mutex_;
  std::uint64_t started_ = 0, finished_ = 0, seen_ = 0;  // copies, as the semaphore counts them
};

}  // namespace proxel::vulkan
