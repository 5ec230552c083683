#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <volk.h>

#include "proxel/vulkan.hpp"

namespace gpu {

/// Throws proxel::Error that names the call.
void require(VkResult result, const char* call);

struct GpuBuffer {
  VkBuffer handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkDeviceAddress address = 0;
  void* mapped = nullptr;  ///< null for memory of the device
  std::uint64_t bytes = 0;
};

struct GpuImage {
  VkImage handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  VkExtent2D extent{};
};

/// Moves an image between layouts, behind and before everything that is recorded around it.
void transition(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to);
/// Everything recorded before happens, and is visible, before anything recorded after.
void barrier(VkCommandBuffer commands);

/// A program's own instance, device and queue, and everything that is allocated there.
class Gpu {
 public:
  struct Options {
    const char* program = "";
    /// Position in the loader's list; otherwise the first that draws and suits, GPUs before others.
    std::optional<std::uint32_t> device;
    /// Whether a queue family can show what is drawn. Empty: nothing is shown.
    std::function<bool(VkInstance, VkPhysicalDevice, std::uint32_t family)> suits;
    std::vector<const char*> instance_extensions;  ///< what a window needs
    std::string pipeline_cache;                    ///< a file; empty: nowhere
  };

  explicit Gpu(const Options& options);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  GpuBuffer create_buffer(std::uint64_t bytes, bool host);
  GpuImage create_image(VkExtent2D extent, VkFormat format, VkImageUsageFlags usage);
  /// Frees what no submitted work uses any more; what is left is freed with the device.
  void destroy(GpuBuffer buffer);
  void destroy(GpuImage image);
  /// SPIR-V that lives until the pipeline has been made.
  VkShaderModule create_shader(const std::uint32_t* code, std::size_t bytes);
  VkPipelineLayout create_layout(std::uint32_t push_bytes, VkShaderStageFlags stages,
                                 VkDescriptorSetLayout set = VK_NULL_HANDLE);
  VkCommandPool create_command_pool();
  std::vector<VkCommandBuffer> create_command_buffers(VkCommandPool pool, std::uint32_t count);
  /// A command buffer that is recorded and finished once; the next call begins the same one.
  VkCommandBuffer begin();
  /// Ends the recording, submits it and waits until the queue is idle.
  void finish(VkCommandBuffer commands) const;
  /// Takes a pipeline, which is destroyed with the rest.
  VkPipeline keep(VkPipeline pipeline) { return pipelines_.emplace_back(pipeline); }

  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties properties{};
  VkDevice device = VK_NULL_HANDLE;
  std::uint32_t queue_family = 0;
  bool draws = false;  ///< the queue does graphics, too
  VkQueue queue = VK_NULL_HANDLE;
  VkPipelineCache pipeline_cache = VK_NULL_HANDLE;
  /// proxel's view of the device, made when first asked for: what is recorded through it goes into
  /// the program's own command buffers.
  proxel::Device& lent();
  /// What proxel is told of all this.
  proxel::vulkan::DeviceHandles handles;

 private:
  void create_instance(const Options& options);
  void choose_device(const Options& options);
  void choose_queue_family();
  void create_device(bool presents);
  void load_pipeline_cache();
  void save_pipeline_cache() const;
  VkDeviceMemory allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted, bool addressable);

  std::string cache_file_;
  std::unique_ptr<proxel::Device> lent_;
  VkCommandBuffer one_off_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  std::vector<GpuBuffer> buffers_;
  std::vector<GpuImage> images_;
  std::vector<VkShaderModule> shaders_;
  std::vector<VkPipelineLayout> layouts_;
  std::vector<VkPipeline> pipelines_;
  std::vector<VkCommandPool> pools_;
};

}  // namespace gpu
