#pragma once

#include <memory>

#include "device.hpp"

namespace proxel::vulkan {

/// Whether the device reads host memory of the caller's where it lies (VK_EXT_external_memory_host), or why not.
Support supports_pinning(const VulkanDevice& device);
/// See Device::pin().
std::unique_ptr<Buffer> pin(VulkanDevice& device, const void* memory, std::uint64_t bytes);

}  // namespace proxel::vulkan
