#include "pinned_memory.hpp"

#include <fmt/format.h>

#include "memory.hpp"
#include "search/check.hpp"

namespace proxel::vulkan {
namespace {

constexpr auto host_memory = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;

std::uint64_t page_bytes(const VulkanDevice& device) {
  VkPhysicalDeviceExternalMemoryHostPropertiesEXT pages{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  properties.pNext = &pages;
  device.functions().vkGetPhysicalDeviceProperties2(device.physical_device(), &properties);
  return pages.minImportedHostPointerAlignment;
}

[[noreturn]] void refuse(const VulkanDevice& device, ErrorCode code, std::uint64_t bytes, const std::string& why) {
  throw Error(code, "pinned memory",
              fmt::format("{} does not lock {} bytes of this memory: {}", device.info().id, bytes, why));
}

}  // namespace

Support supports_pinning(const VulkanDevice& device) {
  if (!device.handles().external_memory_host)
    return Support::no("the device lacks " VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME ", or was created without");
  VkPhysicalDeviceExternalBufferInfo info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO};
  info.usage = VulkanBuffer::usage;
  info.handleType = host_memory;
  VkExternalBufferProperties properties{VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
  device.functions().vkGetPhysicalDeviceExternalBufferProperties(device.physical_device(), &info, &properties);
  if (!(properties.externalMemoryProperties.externalMemoryFeatures & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT))
    return Support::no("the device does not take host memory as buffers");
  return Support::yes();
}

std::unique_ptr<Buffer> pin(VulkanDevice& device, const void* memory, std::uint64_t bytes) {
  search::require_pinnable(memory, bytes);
  if (const Support support = supports_pinning(device); !support)
    throw Error(ErrorCode::unsupported, "pinned memory", support.reason);
  const std::uint64_t page = page_bytes(device);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uint64_t begin = address / page * page;
  const std::uint64_t size = (address + bytes - begin + page - 1) / page * page;
  device.check_bytes(size);
  auto* const first = reinterpret_cast<void*>(begin);

  VkMemoryHostPointerPropertiesEXT properties{VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
  const VkResult known =
      device.table().vkGetMemoryHostPointerPropertiesEXT(device.handle(), host_memory, first, &properties);
  if (known != VK_SUCCESS || properties.memoryTypeBits == 0)
    refuse(device, ErrorCode::unsupported, bytes, "the driver knows no type of memory for it");
  VkImportMemoryHostPointerInfoEXT import{VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT};
  import.handleType = host_memory;
  import.pHostPointer = first;
  VulkanBuffer::External external{&import, host_memory, size};
  external.memory_types = properties.memoryTypeBits;
  external.host = first;
  try {
    return std::make_unique<VulkanBuffer>(device, size, external);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::device_lost) throw;
    refuse(device, error.code() == ErrorCode::out_of_memory ? error.code() : ErrorCode::unsupported, bytes,
           error.what());
  }
}

}  // namespace proxel::vulkan
