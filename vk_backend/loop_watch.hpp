#pragma once

#include <memory>

#include "functions.hpp"
#include "proxel/device.hpp"

namespace proxel::vulkan {

class VulkanDevice;

/// The buffer in which shaders of a device that ends long loops tell that one was ended (telling_ended_loops() in
/// shaders.hpp), and the descriptor set that gives it to them.
class LoopWatch {
 public:
  /// Throws Error where the driver fails; nothing is left behind.
  explicit LoopWatch(VulkanDevice& device);
  ~LoopWatch();
  LoopWatch(const LoopWatch&) = delete;
  LoopWatch& operator=(const LoopWatch&) = delete;

  VkDescriptorSetLayout set_layout() const { return set_layout_; }
  /// Watches the dispatches that follow.
  void bind(VkCommandBuffer commands, VkPipelineLayout layout) const;
  /// Throws Error(unsupported) where a loop was ended since the last time. What was submitted has finished.
  void check();

 private:
  void create();
  void destroy();

  VulkanDevice& device_;
  std::unique_ptr<Buffer> buffer_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
};

}  // namespace proxel::vulkan
