#pragma once

#include <cstdint>
#include <vector>

#include <volk.h>

#include "proxel/vulkan.hpp"

/// The least that an engine has: its own instance, device, queue, command
/// buffer and host-visible buffers. Every Vulkan call is counted that proxel
/// must not make while it records.
class Engine {
 public:
  struct EngineBuffer {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    void* mapped = nullptr;
    std::uint64_t bytes = 0;
  };

  Engine();
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Whether there is a Vulkan device to run on.
  bool present() const { return device != VK_NULL_HANDLE; }
  EngineBuffer create_buffer(std::uint64_t bytes);
  VkQueryPool create_timestamps(std::uint32_t count);
  void begin();
  void begin_secondary();
  /// Ends the secondary command buffer and has the primary execute it.
  void execute_secondary();
  void barrier(const proxel::vulkan::Edge& from, const proxel::vulkan::Edge& to);
  /// A full barrier between the engine's passes and proxel's.
  void full_barrier();
  /// Ends, submits and waits.
  /// @param timeline  where given, waited for before and signalled after
  void finish(VkSemaphore timeline = VK_NULL_HANDLE, std::uint64_t wait_for = 0, std::uint64_t then_signal = 0);

  /// vkGetInstanceProcAddr as handed to proxel: functions that allocate,
  /// submit, wait or read back are replaced by ones that count.
  static PFN_vkVoidFunction VKAPI_CALL counting_get_instance_proc_addr(VkInstance instance, const char* name);
  static std::uint64_t forbidden_calls();
  /// How many of them were submissions to a queue.
  static std::uint64_t submissions();

  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  std::uint32_t queue_family = 0;
  VkCommandBuffer command_buffer = VK_NULL_HANDLE;
  VkCommandBuffer secondary = VK_NULL_HANDLE;
  /// What proxel is told of all this.
  proxel::vulkan::DeviceHandles handles;

 private:
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::vector<EngineBuffer> buffers_;
  std::vector<VkQueryPool> query_pools_;
};
