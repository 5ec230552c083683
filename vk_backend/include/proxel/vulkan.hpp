#pragma once

// Recording proxel's searches on a Vulkan device that belongs to the caller.
// No Vulkan header is included: handles are the opaque pointers that Vulkan
// itself declares (on 64-bit systems, non-dispatchable handles are pointers too).

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/export.h"
#include "proxel/interop.hpp"

struct VkInstance_T;
struct VkPhysicalDevice_T;
struct VkDevice_T;
struct VkSemaphore_T;
struct VkQueue_T;
struct VkCommandBuffer_T;
struct VkPipelineCache_T;
struct VkBuffer_T;
struct VkQueryPool_T;

PROXEL_PUBLIC_BEGIN
namespace proxel::vulkan {

/// A device that the caller created and keeps alive longer than what proxel
/// makes from it. proxel touches nothing global: it loads its functions
/// through get_instance_proc_addr into a table of its own.
struct DeviceHandles {
  VkInstance_T* instance = nullptr;
  VkPhysicalDevice_T* physical_device = nullptr;
  VkDevice_T* device = nullptr;
  /// Family with compute, to whose queues recordings are submitted; the queue is used by Device::submit, when an index,
  /// textures or a plan that owns counters are made (docs/embedding.md lists them), and never while recording into
  /// a caller's command buffer. Calls that use it must not run beside the caller's own.
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
  /// True if VkPhysicalDeviceVulkan12Features::shaderInt8 was enabled: with cooperative_matrix, rows and queries that
  /// are integers of a byte are multiplied as such on matrix units.
  bool shader_int8 = false;
  /// True if VkPhysicalDeviceVulkan12Features::shaderFloat16 was enabled: many queries by l1 and linf are compared by 8-bit codes. It
  /// is a part of cooperative_matrix.
  bool shader_float16 = false;
  /// True if VK_EXT_debug_utils was enabled on the instance: passes are labelled.
  bool debug_utils = false;
  /// True if VK_KHR_external_memory_fd was: memory can be shared with CUDA (proxel/interop.hpp).
  bool external_memory = false;
  /// True if VK_KHR_external_semaphore_fd was, with Vulkan 1.2's timelineSemaphore: semaphores too.
  bool external_semaphore = false;
  /// True if VK_EXT_external_memory_host was: Device::pin() serves, and IndexOptions::pinned.
  bool external_memory_host = false;
  /// True if VkPhysicalDeviceVulkan12Features::hostQueryReset was: the host resets timestamps of Device::create_commands(),
  /// and no command of theirs comes before what is timed.
  bool host_query_reset = false;
  /// Optional: a queue of another family, which rows that do not fit the device are copied on beside searches
  /// (Device::copies_beside()), from a thread of proxel's; nobody else uses it then. It asks for external_semaphore, of
  /// which timelineSemaphore is a part.
  std::uint32_t transfer_queue_family = 0;
  VkQueue_T* transfer_queue = nullptr;
  /// Optional; not owned. Pipelines are created through it.
  VkPipelineCache_T* pipeline_cache = nullptr;
};

/// An extension or a feature that searches need or would like, for an engine that
/// is about to create its device.
struct Wish {
  enum class Kind { extension, feature };
  Kind kind = Kind::extension;
  std::string_view name;  ///< "VK_KHR_cooperative_matrix"; of a feature its member, "shaderFloat16"
  /// What a feature is a member of: "VkPhysicalDeviceVulkan12Features".
  std::string_view structure;
  bool required = false;     ///< otherwise searches run without it, with what follows left out
  std::string_view purpose;  ///< "screened searches on matrix units"
  /// Whether it is worth enabling on this device, or why not. Wishes of one
  /// purpose are enabled together.
  Support offered;
  /// What is set in DeviceHandles where every wish of the purpose has been enabled.
  bool DeviceHandles::* enabled = nullptr;
};

/// What proxel wishes for a device, required first. proxel's own devices are
/// created with all that is offered.
/// @param get_instance_proc_addr  the caller's vkGetInstanceProcAddr
/// Throws Error(invalid_argument) that names a missing handle.
std::vector<Wish> wishes(void (*(*get_instance_proc_addr)(VkInstance_T*, const char*))(), VkInstance_T* instance,
                         VkPhysicalDevice_T* physical_device);

/// One side of a barrier, as the bits of VkPipelineStageFlags and VkAccessFlags.
struct Edge {
  std::uint32_t stages = 0;
  std::uint32_t access = 0;
};

/// What the passes of a recording do at its edges. The engine's barrier before a
/// recording makes its writes visible to `inputs`, and ends its own use of scratch
/// memory and results before `written`; the barrier behind it begins at `results`, and at
/// `inputs` where the engine then writes inputs anew. Two
/// recordings that share scratch memory have a barrier from `written` to `written`
/// between them. Barriers within a recording are proxel's.
namespace edges {
/// Queries, rows, filters, places to continue behind, counts: read by COMPUTE_SHADER with
/// SHADER_READ; packed signatures and counts by TRANSFER with TRANSFER_READ as well.
inline constexpr Edge inputs{0x00000800 | 0x00001000, 0x00000020 | 0x00000800};
/// Scratch memory and results: read and written by COMPUTE_SHADER and TRANSFER.
inline constexpr Edge written{0x00000800 | 0x00001000, 0x00000020 | 0x00000040 | 0x00000800 | 0x00001000};
/// Indices, distances, offsets: written by COMPUTE_SHADER with SHADER_WRITE.
inline constexpr Edge results{0x00000800, 0x00000040};
/// What Plan::rungs() reads: written by COMPUTE_SHADER with SHADER_WRITE, and by TRANSFER with TRANSFER_WRITE. The
/// engine makes it visible to HOST with HOST_READ before it asks.
inline constexpr Edge rungs{0x00000800 | 0x00001000, 0x00000040 | 0x00001000};
}  // namespace edges

/// Where a recording writes the time at which each of its passes had finished.
struct Timestamps {
  /// A pool of VK_QUERY_TYPE_TIMESTAMP, on a queue family with timestamps. The queries
  /// have been reset. Null: nothing is timed.
  VkQueryPool_T* pool = nullptr;
  std::uint32_t first = 0;  ///< the first query
  std::uint32_t count = 0;  ///< queries from there on; at least 2
};

/// Wraps the caller's device.
/// Throws Error(invalid_argument) that names a missing handle or a queue family that is none or has no compute, or
/// Error(unsupported) for a device below Vulkan 1.2 or without buffer addresses.
std::unique_ptr<Device> wrap_device(const DeviceHandles& handles);

/// BufferUsage bits (proxel/search.hpp) as VkBufferUsageFlags. Throws Error(invalid_argument)
/// for bits that are none.
std::uint32_t buffer_usage(std::uint32_t usage);

/// Wraps a caller's buffer, created with VK_BUFFER_USAGE_STORAGE_BUFFER_BIT and
/// VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT in memory allocated with
/// VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT (TRANSFER_SRC/DST_BIT as well where it
/// is copied or filled; scratch memory is filled). Neither is freed by proxel.
/// @param bytes  of the buffer, at least 1
/// Throws Error(invalid_argument).
std::unique_ptr<Buffer> wrap_buffer(Device& device, VkBuffer_T* buffer, std::uint64_t bytes);

/// A recording into the caller's primary or secondary command buffer, which is
/// in the recording state and outside a render pass.
///
/// Allocates, submits and waits for nothing. Clobbers the compute bind point's
/// pipeline, descriptor sets 0 and 1 and 128 bytes of push constants.
/// Before the first pass the caller makes its inputs visible, and ends its own use of
/// scratch memory and results; after the last, results have been written: see edges. Passes must have been prepared: plans do so when they are made.
///
/// The object itself is two pointers: it may stand on the stack of whoever records a frame, or be kept with the
/// command buffer, however often that is begun anew.
class CommandBufferRecording final : public Recording {
 public:
  /// Throws Error(invalid_argument) for a device that is not a Vulkan device, and a null handle.
  CommandBufferRecording(Device& device, VkCommandBuffer_T* command_buffer);

  const Device* executes_on() const override;
  void record(const Pass& pass) override;
  void barrier() override;
  void copy(const BufferView& from, const BufferView& to) override;
  void fill(const BufferView& view, std::uint8_t byte) override;
  void push_label(std::string_view name) override;
  void pop_label() override;

 private:
  Device& device_;  // a Vulkan device
  VkCommandBuffer_T* command_buffer_;
};

/// The same as an object of its own.
std::unique_ptr<Recording> record_into(Device& device, VkCommandBuffer_T* command_buffer);

/// A recording that times its passes, into a command buffer that is begun once.
class TimedRecording : public Recording {
 public:
  /// What ended at query first + 1 + i: the names of passes, "copy" and "fill". Query
  /// `first` is written before the first of them. Those for which there is
  /// no query left are not timed.
  virtual const std::vector<const char*>& timed() const = 0;
};

/// As record_into() without timestamps. Throws Error(invalid_argument) where the pool is null or
/// count is below 2.
std::unique_ptr<TimedRecording> record_into(Device& device, VkCommandBuffer_T* command_buffer,
                                            const Timestamps& timestamps);

/// The handle behind a buffer of a Vulkan device, proxel's or wrapped. Throws Error(invalid_argument).
VkBuffer_T* buffer_of(const Buffer& buffer);

/// The timeline semaphore behind a shared one of a Vulkan device, for the caller's
/// submissions. Throws Error(invalid_argument).
VkSemaphore_T* semaphore_of(const interop::Semaphore& semaphore);
/// The same from the host: sets it, or returns when it has got there.
void signal(const interop::Semaphore& semaphore, std::uint64_t value);
void wait(const interop::Semaphore& semaphore, std::uint64_t value);

/// Number of validation messages so far, with PROXEL_VALIDATION set.
std::uint64_t validation_messages();

}  // namespace proxel::vulkan
PROXEL_PUBLIC_END
