#pragma once

#include "functions.hpp"
#include "proxel/interop.hpp"

namespace proxel::vulkan {

class VulkanDevice;

/// A timeline semaphore.
class VulkanSemaphore final : public interop::Semaphore {
 public:
  /// Made, to be exported where the device can.
  VulkanSemaphore(VulkanDevice& device, std::uint64_t value, bool exportable);
  /// The counter that the descriptor names.
  VulkanSemaphore(VulkanDevice& device, interop::FileDescriptor descriptor);
  ~VulkanSemaphore() override;

  VkSemaphore handle() const { return semaphore_; }
  VulkanDevice& device() const { return device_; }

 private:
  VulkanDevice& device_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
};

/// Memory and semaphores by VK_KHR_external_memory_fd and VK_KHR_external_semaphore_fd.
class VulkanSharing final : public interop::Sharing {
 public:
  explicit VulkanSharing(VulkanDevice& device) : device_(device) {}

  Support exports_memory() const override;
  Support imports_memory() const override;
  Support exports_semaphores() const override;
  Support imports_semaphores() const override;
  std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes) override;
  interop::ExportedMemory export_memory(const Buffer& buffer) override;
  std::unique_ptr<Buffer> import_memory(interop::ExportedMemory memory) override;
  std::unique_ptr<interop::Semaphore> create_semaphore(std::uint64_t value) override;
  interop::FileDescriptor export_semaphore(const interop::Semaphore& semaphore) override;
  std::unique_ptr<interop::Semaphore> import_semaphore(interop::FileDescriptor semaphore) override;

 private:
  Support memory(VkExternalMemoryFeatureFlags needed, const char* action) const;
  Support semaphores(VkExternalSemaphoreFeatureFlags needed, const char* action) const;

  VulkanDevice& device_;
};

}  // namespace proxel::vulkan
