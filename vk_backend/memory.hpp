#pragma once

#include "device.hpp"

namespace proxel::vulkan {

/// A buffer with an address, in memory of its own or wrapping a caller's.
class VulkanBuffer : public Buffer {
 public:
  static constexpr VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  /// Device memory that is exported or imported.
  struct External {
    const void* allocation = nullptr;  ///< how, chained behind the allocation
    VkExternalMemoryHandleTypeFlags type = 0;
    std::uint64_t allocation_bytes = 0;  ///< 0: as the buffer requires
    bool dedicated = false;
    std::uint32_t memory_types = UINT32_MAX;  ///< that it may be of, a bit each
    void* host = nullptr;                     ///< where the host has it, of memory of its own
  };

  VulkanBuffer(VulkanDevice& device, std::uint64_t bytes, MemoryKind kind);
  VulkanBuffer(VulkanDevice& device, std::uint64_t bytes, const External& external);
  /// Wraps a caller's buffer, which stays the caller's.
  VulkanBuffer(VulkanDevice& device, VkBuffer buffer, std::uint64_t bytes);
  ~VulkanBuffer() override;

  VkBuffer handle() const { return buffer_; }
  VkDeviceMemory memory() const { return memory_; }
  bool external() const { return external_; }
  bool dedicated() const { return dedicated_; }
  std::uint64_t allocation_bytes() const { return allocation_bytes_; }

 private:
  void create(MemoryKind kind, const External& external);

  VulkanDevice& device_;
  bool owned_;
  bool external_ = false;
  bool dedicated_ = false;
  std::uint64_t allocation_bytes_ = 0;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
};

/// A storage image in the general layout, with a descriptor set that names it,
/// so that recording a pass only binds.
class VulkanTexture : public Texture {
 public:
  VulkanTexture(VulkanDevice& device, std::uint32_t width, std::uint32_t height, std::uint32_t layers,
                TexelFormat format);
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
