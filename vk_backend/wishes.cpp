#include "wishes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cooperative_matrix.hpp"
#include "probe.hpp"

namespace proxel::vulkan {
namespace {

using Core = VkPhysicalDeviceFeatures;
using Vulkan12 = VkPhysicalDeviceVulkan12Features;
using Matrices = VkPhysicalDeviceCooperativeMatrixFeaturesKHR;

// One purpose and what it takes.
struct Purpose {
  const char* name;
  bool required;
  bool DeviceHandles::* enabled;
};

constexpr Purpose addresses{"every search", true, &DeviceHandles::buffer_device_address};
constexpr Purpose matrix_units{"screened searches on matrix units", false, &DeviceHandles::cooperative_matrix};
constexpr Purpose integers{"products of integers of 8 bits on matrix units", false, &DeviceHandles::shader_int8};
constexpr Purpose halves{"sums of 8-bit codes in half precision", false, &DeviceHandles::shader_float16};
constexpr Purpose doubles{"signature distances in binary64", false, &DeviceHandles::shader_float64};
constexpr Purpose shared_memory{"memory shared with CUDA", false, &DeviceHandles::external_memory};
constexpr Purpose pinned_memory{"rows that are read where they lie in host memory", false,
                                &DeviceHandles::external_memory_host};
constexpr Purpose shared_semaphores{"semaphores shared with CUDA", false, &DeviceHandles::external_semaphore};
constexpr Purpose query_resets{"times of short recordings", false, &DeviceHandles::host_query_reset};

// A feature, or an extension where no member is given.
struct Entry {
  const Purpose& purpose;
  const char* name;
  VkBool32 Vulkan12::* vulkan12 = nullptr;
  VkBool32 Matrices::* matrices = nullptr;
  VkBool32 Core::* core = nullptr;

  bool extension() const { return !vulkan12 && !matrices && !core; }
};

constexpr Entry entries[] = {
    {addresses, "bufferDeviceAddress", &Vulkan12::bufferDeviceAddress},
    {matrix_units, VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME},
    {matrix_units, "cooperativeMatrix", nullptr, &Matrices::cooperativeMatrix},
    {matrix_units, "shaderFloat16", &Vulkan12::shaderFloat16},
    {matrix_units, "vulkanMemoryModel", &Vulkan12::vulkanMemoryModel},
    {matrix_units, "vulkanMemoryModelDeviceScope", &Vulkan12::vulkanMemoryModelDeviceScope},
    {integers, "shaderInt8", &Vulkan12::shaderInt8},
    {halves, "shaderFloat16", &Vulkan12::shaderFloat16},
    {doubles, "shaderFloat64", nullptr, nullptr, &Core::shaderFloat64},
    {shared_memory, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME},
    {pinned_memory, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME},
    {shared_semaphores, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME},
    {shared_semaphores, "timelineSemaphore", &Vulkan12::timelineSemaphore},
    {query_resets, "hostQueryReset", &Vulkan12::hostQueryReset},
};

// The features of a device that searches may use.
struct Features {
  Core core{};
  Vulkan12 vulkan12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  Matrices matrices{};

  Features(const InstanceFunctions& functions, VkPhysicalDevice physical_device) {
    matrices.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR;
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    functions.vkGetPhysicalDeviceProperties2(physical_device, &properties);
    if (properties.properties.apiVersion < VK_API_VERSION_1_2) return;  // knows none of them
    if (has_extension(functions, physical_device, VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME)) vulkan12.pNext = &matrices;
    VkPhysicalDeviceFeatures2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    all.pNext = &vulkan12;
    functions.vkGetPhysicalDeviceFeatures2(physical_device, &all);
    core = all.features;
  }
  Features(const Features&) = delete;
  Features& operator=(const Features&) = delete;
};

Support offers(const InstanceFunctions& functions, VkPhysicalDevice physical_device, const Features& features,
               const Entry& entry) {
  const bool has = entry.vulkan12   ? features.vulkan12.*entry.vulkan12
                   : entry.matrices ? features.matrices.*entry.matrices
                   : entry.core     ? features.core.*entry.core
                                    : has_extension(functions, physical_device, entry.name);
  if (has) return Support::yes();
  return Support::no(
      fmt::format("the device lacks the {} {}", entry.extension() ? "extension" : "feature", entry.name));
}

}  // namespace

std::vector<Wish> wishes(const InstanceFunctions& functions, VkPhysicalDevice physical_device) {
  const Features features(functions, physical_device);
  std::vector<Wish> list;
  for (const Entry& entry : entries) {
    Wish wish;
    wish.kind = entry.extension() ? Wish::Kind::extension : Wish::Kind::feature;
    wish.name = entry.name;
    if (entry.core) wish.structure = "VkPhysicalDeviceFeatures";
    if (entry.vulkan12) wish.structure = "VkPhysicalDeviceVulkan12Features";
    if (entry.matrices) wish.structure = "VkPhysicalDeviceCooperativeMatrixFeaturesKHR";
    wish.required = entry.purpose.required;
    wish.purpose = entry.purpose.name;
    wish.enabled = entry.purpose.enabled;
    wish.offered = offers(functions, physical_device, features, entry);
    list.push_back(wish);
  }
  // Matrix units of other shapes would not be used, and one wish of a purpose is
  // no use without the others.
  for (const Entry& entry : entries) {
    Support whole = offered(list, entry.purpose.enabled);
    if (whole && entry.purpose.enabled == matrix_units.enabled)
      whole = cooperative_matrices(functions, physical_device).halves;
    if (whole) continue;
    for (Wish& wish : list)
      if (wish.enabled == entry.purpose.enabled) wish.offered = whole;
  }
  return list;
}

Support offered(const std::vector<Wish>& wishes, bool DeviceHandles::* enabled) {
  for (const Wish& wish : wishes)
    if (wish.enabled == enabled && !wish.offered) return wish.offered;
  return Support::yes();
}

std::vector<Wish> wishes(void (*(*get_instance_proc_addr)(VkInstance_T*, const char*))(), VkInstance_T* instance,
                         VkPhysicalDevice_T* physical_device) {
  const auto require = [](bool given, const char* name) {
    if (!given) throw Error(ErrorCode::invalid_argument, name, "is a null handle");
  };
  require(get_instance_proc_addr, "get_instance_proc_addr");
  require(instance, "instance");
  require(physical_device, "physical_device");
  return wishes(InstanceFunctions::load(instance, reinterpret_cast<PFN_vkGetInstanceProcAddr>(get_instance_proc_addr)),
                physical_device);
}

GrantedWishes::GrantedWishes(const std::vector<Wish>& wishes) {
  matrices_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR;
  for (const Entry& entry : entries) {
    // Two purposes may wish for the same.
    const auto wish = std::find_if(wishes.begin(), wishes.end(), [&](const Wish& one) {
      return one.name == entry.name && one.enabled == entry.purpose.enabled;
    });
    if (wish == wishes.end() || !wish->offered) continue;
    if (entry.extension()) extensions_.push_back(entry.name);
    if (entry.core) core_.*entry.core = VK_TRUE;
    if (entry.vulkan12) vulkan12_.*entry.vulkan12 = VK_TRUE;
    if (entry.matrices) {
      matrices_.*entry.matrices = VK_TRUE;
      vulkan12_.pNext = &matrices_;
    }
    enabled_.push_back(entry.purpose.enabled);
  }
}

VkDeviceCreateInfo GrantedWishes::device_info() const {
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.pNext = &vulkan12_;
  info.pEnabledFeatures = &core_;
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions_.size());
  info.ppEnabledExtensionNames = extensions_.data();
  return info;
}

void GrantedWishes::tell(DeviceHandles& handles) const {
  for (bool DeviceHandles::* const flag : enabled_) handles.*flag = true;
}

}  // namespace proxel::vulkan
