#pragma once

#include <memory>
#include <vector>

#include "copies.hpp"
#include "functions.hpp"
#include "in_use.hpp"
#include "loop_watch.hpp"
#include "pipelines.hpp"
#include "prepares_together.hpp"
#include "proxel/device.hpp"
#include "proxel/vulkan.hpp"
#include "sharing.hpp"
#include "trial.hpp"

namespace proxel::vulkan {

/// What memory of MemoryKind::direct is.
inline constexpr VkMemoryPropertyFlags direct_memory =
    VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

class VulkanCommands;

/// A Vulkan device, proxel's own or a caller's.
class VulkanDevice : public Device, public PreparesTogether {
 public:
  /// An own device is tried. Throws Error where that fails, and destroys it.
  /// @param owned  whether the VkDevice is destroyed with this object
  VulkanDevice(DeviceInfo info, const DeviceHandles& handles, InstanceFunctions functions, bool owned);
  ~VulkanDevice() override;

  bool shares_addresses(const Device& other) const override;
  Support supports(const Pass& pass) const override;
  void prepare(const Pass& pass) override { prepare_all({&pass, 1}); }
  void prepare_all(std::span<const Pass> passes) override;
  std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes, MemoryKind kind) override;
  std::unique_ptr<Texture> create_texture(std::uint32_t width, std::uint32_t height, std::uint32_t layers,
                                          TexelFormat format) override;
  std::unique_ptr<Commands> create_commands(Timing timing) override;
  void submit(Commands& commands) override;
  void wait() override;
  bool copies_beside() const override { return copies_ != nullptr; }
  void start_copy(const BufferView& from, const BufferView& to) override;
  void wait_copies(std::uint32_t but) override;
  Support supports_pinning() const override;
  std::unique_ptr<Buffer> pin(const void* memory, std::uint64_t bytes) override;
  interop::Sharing& sharing() override { return sharing_; }

  const VolkDeviceTable& table() const { return table_; }
  const InstanceFunctions& functions() const { return functions_; }
  const DeviceHandles& handles() const { return handles_; }
  VkDevice handle() const { return handles_.device; }
  VkPhysicalDevice physical_device() const { return handles_.physical_device; }
  const VkPhysicalDeviceLimits& limits() const { return limits_; }
  Pipelines& pipelines() { return *pipelines_; }
  const LoopWatch* loop_watch() const { return loop_watch_.get(); }
  std::uint32_t queue_family() const { return handles_.queue_family; }
  /// Whose queues use buffers: that of searches and, where there is one, that of copies beside them.
  std::vector<std::uint32_t> queue_families() const;
  bool debug_utils() const { return handles_.debug_utils; }
  const Trial& trial() const { return trial_; }
  bool resets_queries_on_host() const { return handles_.host_query_reset; }
  /// Whether the driver can be asked to keep subnormal numbers of binary32, and is.
  bool promises_subnormals() const { return promises_subnormals_; }

  /// Throws Error(unsupported | out_of_memory) where there is no memory of MemoryKind::direct, or so much of it is too much.
  void check_direct(std::uint64_t bytes) const;
  /// Memory for these requirements with all of `required` and, where there is
  /// such a type, `preferred` properties.
  /// @param next  further structures of the allocation, or null
  VkDeviceMemory allocate(const VkMemoryRequirements& requirements, VkMemoryPropertyFlags required,
                          VkMemoryPropertyFlags preferred, bool addressable, const void* next = nullptr);
  /// Throws Error(invalid_argument | out_of_memory) where a buffer cannot have that size.
  void check_bytes(std::uint64_t bytes) const;
  /// Submits a command buffer and signals the fence.
  void submit(VkCommandBuffer command_buffer, VkFence fence);
  /// Waits for one fence.
  void wait(VkFence fence);
  /// Called when commands are destroyed, so that wait() no longer looks at them.
  void forget(VulkanCommands& commands);

 private:
  void prepare_use();
  void destroy();

  DeviceHandles handles_;
  InstanceFunctions functions_;
  VolkDeviceTable table_{};
  bool owned_;
  VkPhysicalDeviceLimits limits_{};
  VkSubgroupFeatureFlags subgroup_operations_ = 0;  // in compute shaders
  Support matrix_units_;                            // of halves
  Support half_sum_units_;                          // of halves that are summed up as halves
  Support integer_matrix_units_;                    // of integers of 8 bits
  VkPhysicalDeviceMemoryProperties memory_{};
  std::unique_ptr<Pipelines> pipelines_;
  std::unique_ptr<Copies> copies_;         // where there is a queue for them
  std::unique_ptr<LoopWatch> loop_watch_;  // where long loops are ended
  std::vector<VulkanCommands*> pending_;
  bool promises_subnormals_ = false;
  Trial trial_;
  VulkanSharing sharing_{*this};
  InUse in_use_;
};

}  // namespace proxel::vulkan
