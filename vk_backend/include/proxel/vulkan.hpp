#pragma once

// Recording proxel's searches on a Vulkan device that belongs to the caller.
// No Vulkan header is included: handles are the opaque pointers that Vulkan
// itself declares (on 64-bit systems, non-dispatchable handles are pointers too).

#include <cstdint>
#include <memory>

#include "proxel/device.hpp"

struct VkInstance_T;
struct VkPhysicalDevice_T;
struct VkDevice_T;
struct VkQueue_T;
struct VkCommandBuffer_T;
struct VkPipelineCache_T;
struct VkBuffer_T;
struct VkDeviceMemory_T;

namespace proxel::vulkan {

/// A device that the caller created and keeps alive longer than what proxel
/// makes from it. proxel touches nothing global: it loads its functions
/// through get_instance_proc_addr into a table of its own.
struct DeviceHandles {
  VkInstance_T* instance = nullptr;
  VkPhysicalDevice_T* physical_device = nullptr;
  VkDevice_T* device = nullptr;
  /// Family with compute; the queue is used only when textures and plans are
  /// created and by Device::submit, never while recording into a caller's
  /// command buffer. Calls that use it must not run beside the caller's own.
  std::uint32_t queue_family = 0;
  VkQueue_T* queue = nullptr;
  /// vkGetInstanceProcAddr of the caller's loader. Required.
  void (*(*get_instance_proc_addr)(VkInstance_T*, const char*))() = nullptr;
  /// A device cannot be asked which features were enabled: true if
  /// VkPhysicalDeviceVulkan12Features::bufferDeviceAddress was. Required.
  bool buffer_device_address = false;
  /// True if VK_KHR_cooperative_matrix was, with its feature cooperativeMatrix and
  /// Vulkan 1.2's shaderFloat16, vulkanMemoryModel and vulkanMemoryModelDeviceScope:
  /// screened searches then run on matrix units where the device has the shapes.
  bool cooperative_matrix = false;
  /// True if VkPhysicalDeviceFeatures::shaderFloat64 was enabled: passes that compute in
  /// binary64 are supported.
  bool shader_float64 = false;
  /// True if VK_EXT_debug_utils was enabled on the instance: passes are labelled.
  bool debug_utils = false;
  /// Optional; not owned. Pipelines are created through it.
  VkPipelineCache_T* pipeline_cache = nullptr;
};

/// Wraps the caller's device.
/// Throws Error(invalid_argument) that names a missing handle, or
/// Error(unsupported) for a device below Vulkan 1.2 or without buffer addresses.
std::unique_ptr<Device> wrap_device(const DeviceHandles& handles);

/// BufferUsage bits (proxel/search.hpp) as VkBufferUsageFlags. Throws Error(invalid_argument)
/// for bits that are none.
std::uint32_t buffer_usage(std::uint32_t usage);

/// Wraps a caller's buffer, created with VK_BUFFER_USAGE_STORAGE_BUFFER_BIT and
/// VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT in memory allocated with
/// VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT (TRANSFER_SRC/DST_BIT as well where it
/// is copied or filled; scratch memory is filled). Neither is freed by proxel.
std::unique_ptr<Buffer> wrap_buffer(Device& device, VkBuffer_T* buffer, std::uint64_t bytes);

/// A recording into the caller's primary or secondary command buffer, which is
/// in the recording state and outside a render pass.
///
/// Allocates, submits and waits for nothing. Clobbers the compute bind point's
/// pipeline, descriptor sets 0 and 1 and 128 bytes of push constants.
/// Before the first pass the caller makes its inputs visible to
/// COMPUTE_SHADER with SHADER_READ (and scratch memory free for SHADER_WRITE,
/// TRANSFER_WRITE); after the last, results were written by COMPUTE_SHADER with
/// SHADER_WRITE. Passes must have been prepared: plans do so when they are made.
std::unique_ptr<Recording> record_into(Device& device, VkCommandBuffer_T* command_buffer);

/// Number of validation messages so far, with PROXEL_VALIDATION set.
std::uint64_t validation_messages();

}  // namespace proxel::vulkan
