#include "sharing.hpp"

#include <fmt/format.h>

#include "memory.hpp"

namespace proxel::vulkan {
namespace {

constexpr auto memory_type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr auto semaphore_type = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;

void require(const Support& support, const char* subject) {
  if (!support) throw Error(ErrorCode::unsupported, subject, support.reason);
}

VkExternalMemoryFeatureFlags memory_features(const VulkanDevice& device) {
  VkPhysicalDeviceExternalBufferInfo info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO};
  info.usage = VulkanBuffer::usage;
  info.handleType = memory_type;
  VkExternalBufferProperties properties{VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
  device.functions().vkGetPhysicalDeviceExternalBufferProperties(device.physical_device(), &info, &properties);
  return properties.externalMemoryProperties.externalMemoryFeatures;
}

VkSemaphoreTypeCreateInfo timeline(std::uint64_t value) {
  VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  type.initialValue = value;
  return type;
}

VkSemaphore create(VulkanDevice& device, const void* next) {
  VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  info.pNext = next;
  VkSemaphore semaphore = VK_NULL_HANDLE;
  check(device.table().vkCreateSemaphore(device.handle(), &info, nullptr, &semaphore), "vkCreateSemaphore");
  return semaphore;
}

}  // namespace

VulkanSemaphore::VulkanSemaphore(VulkanDevice& device, std::uint64_t value, bool exportable) : device_(device) {
  VkExportSemaphoreCreateInfo exported{VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO};
  exported.handleTypes = semaphore_type;
  VkSemaphoreTypeCreateInfo type = timeline(value);
  if (exportable) type.pNext = &exported;
  semaphore_ = create(device, &type);
}

VulkanSemaphore::VulkanSemaphore(VulkanDevice& device, interop::FileDescriptor descriptor)
    : VulkanSemaphore(device, 0, false) {
  VkImportSemaphoreFdInfoKHR info{VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR};
  info.semaphore = semaphore_;
  info.handleType = semaphore_type;
  info.fd = descriptor.number();
  check(device_.table().vkImportSemaphoreFdKHR(device_.handle(), &info), "vkImportSemaphoreFdKHR");
  descriptor.release();
}

VulkanSemaphore::~VulkanSemaphore() { device_.table().vkDestroySemaphore(device_.handle(), semaphore_, nullptr); }

Support VulkanSharing::memory(VkExternalMemoryFeatureFlags needed, const char* action) const {
  if (!device_.handles().external_memory)
    return Support::no("the device was created without " VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
  if ((memory_features(device_) & needed) != needed)
    return Support::no(fmt::format("the device does not {} buffers as file descriptors", action));
  return Support::yes();
}

Support VulkanSharing::semaphores(VkExternalSemaphoreFeatureFlags needed, const char* action) const {
  if (!device_.handles().external_semaphore)
    return Support::no("the device was created without " VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME
                       " or timelineSemaphore");
  const VkSemaphoreTypeCreateInfo type = timeline(0);
  VkPhysicalDeviceExternalSemaphoreInfo info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO};
  info.pNext = &type;
  info.handleType = semaphore_type;
  VkExternalSemaphoreProperties properties{VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
  device_.functions().vkGetPhysicalDeviceExternalSemaphoreProperties(device_.physical_device(), &info, &properties);
  if ((properties.externalSemaphoreFeatures & needed) != needed)
    return Support::no(fmt::format("the device does not {} timeline semaphores as file descriptors", action));
  return Support::yes();
}

Support VulkanSharing::exports_memory() const { return memory(VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT, "export"); }
Support VulkanSharing::imports_memory() const { return memory(VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT, "import"); }
Support VulkanSharing::exports_semaphores() const {
  return semaphores(VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT, "export");
}
Support VulkanSharing::imports_semaphores() const {
  return semaphores(VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT, "import");
}

std::unique_ptr<Buffer> VulkanSharing::create_buffer(std::uint64_t bytes) {
  require(exports_memory(), "shared memory");
  device_.check_bytes(bytes);
  VkExportMemoryAllocateInfo exported{VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO};
  exported.handleTypes = memory_type;
  const bool dedicated = (memory_features(device_) & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT) != 0;
  return std::make_unique<VulkanBuffer>(device_, bytes, VulkanBuffer::External{&exported, memory_type, 0, dedicated});
}

interop::ExportedMemory VulkanSharing::export_memory(const Buffer& buffer) {
  const auto* own = dynamic_cast<const VulkanBuffer*>(&buffer);
  if (!own || !own->external())
    throw Error(ErrorCode::invalid_argument, "buffer", "was not made to be exported by this backend");
  VkMemoryGetFdInfoKHR info{VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR};
  info.memory = own->memory();
  info.handleType = memory_type;
  int number = -1;
  check(device_.table().vkGetMemoryFdKHR(device_.handle(), &info, &number), "vkGetMemoryFdKHR");
  return {interop::FileDescriptor(number), own->bytes(), own->allocation_bytes(), own->dedicated()};
}

std::unique_ptr<Buffer> VulkanSharing::import_memory(interop::ExportedMemory memory) {
  require(imports_memory(), "shared memory");
  VkImportMemoryFdInfoKHR info{VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR};
  info.handleType = memory_type;
  info.fd = memory.descriptor.number();
  auto buffer = std::make_unique<VulkanBuffer>(
      device_, memory.bytes, VulkanBuffer::External{&info, memory_type, memory.allocation_bytes, memory.dedicated});
  memory.descriptor.release();  // is the driver's now
  return buffer;
}

std::unique_ptr<interop::Semaphore> VulkanSharing::create_semaphore(std::uint64_t value) {
  require(exports_semaphores(), "shared semaphore");
  return std::make_unique<VulkanSemaphore>(device_, value, true);
}

interop::FileDescriptor VulkanSharing::export_semaphore(const interop::Semaphore& semaphore) {
  VkSemaphoreGetFdInfoKHR info{VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR};
  info.semaphore = semaphore_of(semaphore);
  info.handleType = semaphore_type;
  int number = -1;
  check(device_.table().vkGetSemaphoreFdKHR(device_.handle(), &info, &number), "vkGetSemaphoreFdKHR");
  return interop::FileDescriptor(number);
}

std::unique_ptr<interop::Semaphore> VulkanSharing::import_semaphore(interop::FileDescriptor semaphore) {
  require(imports_semaphores(), "shared semaphore");
  return std::make_unique<VulkanSemaphore>(device_, std::move(semaphore));
}

VkSemaphore_T* semaphore_of(const interop::Semaphore& semaphore) {
  const auto* own = dynamic_cast<const VulkanSemaphore*>(&semaphore);
  if (!own) throw Error(ErrorCode::invalid_argument, "semaphore", "is not one of a Vulkan device");
  return own->handle();
}

void signal(const interop::Semaphore& semaphore, std::uint64_t value) {
  VkSemaphoreSignalInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  info.semaphore = semaphore_of(semaphore);
  info.value = value;
  const VulkanDevice& device = dynamic_cast<const VulkanSemaphore&>(semaphore).device();
  check(device.table().vkSignalSemaphore(device.handle(), &info), "vkSignalSemaphore");
}

void wait(const interop::Semaphore& semaphore, std::uint64_t value) {
  const VkSemaphore handle = semaphore_of(semaphore);
  VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.semaphoreCount = 1;
  info.pSemaphores = &handle;
  info.pValues = &value;
  const VulkanDevice& device = dynamic_cast<const VulkanSemaphore&>(semaphore).device();
  check(device.table().vkWaitSemaphores(device.handle(), &info, UINT64_MAX), "vkWaitSemaphores");
}

VkBuffer_T* buffer_of(const Buffer& buffer) {
  const auto* own = dynamic_cast<const VulkanBuffer*>(&buffer);
  if (!own) throw Error(ErrorCode::invalid_argument, "buffer", "is not one of a Vulkan device");
  return own->handle();
}

}  // namespace proxel::vulkan
