#include "probe.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

namespace proxel::vulkan {
namespace {

std::vector<VkQueueFamilyProperties> queue_families(const InstanceFunctions& functions,
                                                    VkPhysicalDevice physical_device) {
  std::uint32_t count = 0;
  functions.vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  functions.vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, families.data());
  return families;
}

std::uint64_t largest_device_heap(const InstanceFunctions& functions, VkPhysicalDevice physical_device) {
  VkPhysicalDeviceMemoryProperties memory;
  functions.vkGetPhysicalDeviceMemoryProperties(physical_device, &memory);
  std::uint64_t largest = 0;
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i)
    if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
      largest = std::max<std::uint64_t>(largest, memory.memoryHeaps[i].size);
  return largest;
}

Support usable(const VkPhysicalDeviceProperties& properties, const VkPhysicalDeviceVulkan12Features& features,
               bool has_compute) {
  if (properties.apiVersion < VK_API_VERSION_1_2)
    return Support::no(fmt::format("offers Vulkan {}.{}, 1.2 is needed", VK_API_VERSION_MAJOR(properties.apiVersion),
                                   VK_API_VERSION_MINOR(properties.apiVersion)));
  if (!features.bufferDeviceAddress) return Support::no("lacks the feature bufferDeviceAddress");
  if (!has_compute) return Support::no("has no queue family with compute");
  return Support::yes();
}

}  // namespace

bool has_extension(const InstanceFunctions& functions, VkPhysicalDevice physical_device, const char* name) {
  std::uint32_t count = 0;
  const auto enumerate = functions.vkEnumerateDeviceExtensionProperties;
  check(enumerate(physical_device, nullptr, &count, nullptr), "vkEnumerateDeviceExtensionProperties");
  std::vector<VkExtensionProperties> extensions(count);
  check(enumerate(physical_device, nullptr, &count, extensions.data()), "vkEnumerateDeviceExtensionProperties");
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const auto& extension) { return std::strcmp(extension.extensionName, name) == 0; });
}

bool runs_nothing(const InstanceFunctions& functions, VkPhysicalDevice physical_device) {
  // RADV's, with RADV_FORCE_FAMILY set: submitting to it ends the program.
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  functions.vkGetPhysicalDeviceProperties2(physical_device, &properties);
  return std::string_view(properties.properties.deviceName).starts_with("Null hardware");
}

namespace {

// @param able  what its queues can do, one of these
Support serves(const InstanceFunctions& functions, VkPhysicalDevice physical_device, std::uint32_t family,
               VkQueueFlags able, const char* without) {
  const auto families = queue_families(functions, physical_device);
  if (family >= families.size())
    return Support::no(fmt::format("{} was given, the device has the families 0 to {}", family, families.size() - 1));
  if (!(families[family].queueFlags & able))
    return Support::no(fmt::format("{} was given, a family without {}", family, without));
  return Support::yes();
}

}  // namespace

Support serves_compute(const InstanceFunctions& functions, VkPhysicalDevice physical_device, std::uint32_t family) {
  return serves(functions, physical_device, family, VK_QUEUE_COMPUTE_BIT, "compute");
}

// Queues that compute or draw transfer as well, whether they say so or not.
Support serves_transfer(const InstanceFunctions& functions, VkPhysicalDevice physical_device, std::uint32_t family) {
  return serves(functions, physical_device, family,
                VK_QUEUE_TRANSFER_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT, "transfers");
}

std::uint32_t compute_queue_family(const InstanceFunctions& functions, VkPhysicalDevice physical_device) {
  const auto families = queue_families(functions, physical_device);
  for (const VkQueueFlags unwanted : {VkQueueFlags{VK_QUEUE_GRAPHICS_BIT}, VkQueueFlags{0}})
    for (std::uint32_t i = 0; i < families.size(); ++i)
      if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) && !(families[i].queueFlags & unwanted) &&
          families[i].timestampValidBits != 0)
        return i;
  for (std::uint32_t i = 0; i < families.size(); ++i)
    if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) return i;
  throw Error(ErrorCode::unsupported, "vulkan", "the device has no queue family with compute");
}

std::optional<std::uint32_t> transfer_queue_family(const InstanceFunctions& functions,
                                                   VkPhysicalDevice physical_device) {
  const auto families = queue_families(functions, physical_device);
  constexpr VkQueueFlags transfer = VK_QUEUE_TRANSFER_BIT;
  constexpr VkQueueFlags harmless = VK_QUEUE_SPARSE_BINDING_BIT | VK_QUEUE_PROTECTED_BIT;
  for (std::uint32_t i = 0; i < families.size(); ++i)
    if ((families[i].queueFlags & ~harmless) == transfer) return i;
  return std::nullopt;
}

namespace {

// Bytes. Larger allocations than maxMemoryAllocationSize may succeed: NVIDIA's driver for Linux names 4 GiB there, and
// makes buffers as large as the memory (docs/drivers.md).
std::uint64_t largest_allocation(const InstanceFunctions& functions, VkPhysicalDevice physical_device,
                                 VkDriverId driver, std::uint64_t named) {
  if (driver != VK_DRIVER_ID_NVIDIA_PROPRIETARY ||
      !has_extension(functions, physical_device, VK_KHR_MAINTENANCE_4_EXTENSION_NAME))
    return named;
  VkPhysicalDeviceMaintenance4Properties buffers{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  all.pNext = &buffers;
  functions.vkGetPhysicalDeviceProperties2(physical_device, &all);
  return std::max<std::uint64_t>(named, buffers.maxBufferSize);
}

}  // namespace

DeviceInfo probe(const InstanceFunctions& functions, VkPhysicalDevice physical_device, std::uint32_t index) {
  const bool sm_builtins = has_extension(functions, physical_device, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME);
  VkPhysicalDeviceShaderSMBuiltinsPropertiesNV multiprocessors{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV};
  VkPhysicalDeviceVulkan12Properties properties12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
  if (sm_builtins) properties12.pNext = &multiprocessors;
  VkPhysicalDeviceVulkan11Properties properties11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
  properties11.pNext = &properties12;
  VkPhysicalDeviceProperties2 properties2{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  functions.vkGetPhysicalDeviceProperties2(physical_device, &properties2);
  const bool new_enough = properties2.properties.apiVersion >= VK_API_VERSION_1_2;
  VkPhysicalDeviceVulkan12Features features12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  if (new_enough) {
    properties2.pNext = &properties11;
    functions.vkGetPhysicalDeviceProperties2(physical_device, &properties2);
    VkPhysicalDeviceFeatures2 features2{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    features2.pNext = &features12;
    functions.vkGetPhysicalDeviceFeatures2(physical_device, &features2);
  }
  const VkPhysicalDeviceProperties& properties = properties2.properties;
  const VkPhysicalDeviceLimits& limits = properties.limits;

  DeviceInfo info;
  info.backend = BackendKind::vulkan;
  info.index = index;
  info.id = fmt::format("vulkan:{}", index);
  info.name = properties.deviceName;
  info.driver =
      new_enough ? fmt::format("{} {}, Vulkan {}.{}.{}", properties12.driverName, properties12.driverInfo,
                               VK_API_VERSION_MAJOR(properties.apiVersion), VK_API_VERSION_MINOR(properties.apiVersion),
                               VK_API_VERSION_PATCH(properties.apiVersion))
                 : "unknown";
  std::copy(std::begin(properties11.deviceUUID), std::end(properties11.deviceUUID), info.uuid.begin());

  const auto families = queue_families(functions, physical_device);
  const bool has_compute = std::any_of(families.begin(), families.end(), [](const auto& family) {
    return (family.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0;
  });
  Capabilities& capabilities = info.capabilities;
  capabilities.memory_bytes = largest_device_heap(functions, physical_device);
  if (new_enough)
    capabilities.max_allocation_bytes = std::min(
        largest_allocation(functions, physical_device, properties12.driverID, properties11.maxMemoryAllocationSize),
        capabilities.memory_bytes);
  capabilities.subgroup_size = new_enough ? properties11.subgroupSize : 1;
  capabilities.max_workgroup_size = std::min(limits.maxComputeWorkGroupInvocations, limits.maxComputeWorkGroupSize[0]);
  capabilities.shared_memory_bytes = limits.maxComputeSharedMemorySize;
  capabilities.multiprocessors = multiprocessors.shaderSMCount;
  capabilities.max_texture_extent = limits.maxImageDimension2D;
  capabilities.max_texture_layers = limits.maxImageArrayLayers;
  capabilities.timestamps =
      has_compute && families[compute_queue_family(functions, physical_device)].timestampValidBits != 0;
  capabilities.runs_on_host = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  info.usable = usable(properties, features12, has_compute);
  if (info.usable && runs_nothing(functions, physical_device))
    info.usable = Support::no(
        "there is no hardware behind it: it compiles passes (proxel conformance "
        "--compile-only) and cannot run any");
  return info;
}

}  // namespace proxel::vulkan
