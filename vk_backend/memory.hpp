#pragma once

#include "device.hpp"

namespace proxel::vulkan {

/// A buffer with an address, in memory of its own or wrapping a caller's.
class VulkanBuffer : public Buffer {
 public:
  VulkanBuffer(VulkanDevice& device, std::uint64_t bytes, MemoryKind kind);
  /// Wraps a caller's buffer, which stays the caller's.
  VulkanBuffer(VulkanDevice& device, VkBuffer buffer, std::uint64_t bytes);
  ~VulkanBuffer() override;

  VkBuffer handle() const { return buffer_; }

 private:
  VulkanDevice& device_;
  bool owned_;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
};

/// A storage image in the general layout, with a descriptor set that names it,
/// so that recording a pass only binds.
class VulkanTexture : public Texture {
 public:
  VulkanTexture(VulkanDevice& device, std::uint32_t width, std::uint32_t height,
                std::uint32_t layers, TexelFormat format);
  ~VulkanTexture() override;

  VkDescriptorSet descriptor_set() const { return descriptor_set_; }

 private:
  void create();
  void destroy();
  void lay_out();

  VulkanDevice& device_;
  VkImage image_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  VkImageView view_ = VK_NULL_HANDLE;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  VkDescriptorSet descriptor_set_ = VK_NULL_HANDLE;
};

}  // namespace proxel::vulkan
