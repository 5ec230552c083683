#include <array>

#include "cooperative_matrix.hpp"
#include "device.hpp"
#include "instance.hpp"
#include "probe.hpp"

namespace proxel::vulkan {
namespace {

class VulkanBackend : public Backend {
 public:
  BackendKind kind() const override { return BackendKind::vulkan; }
  Support available() const override { return Instance::get().available(); }

  std::vector<DeviceInfo> devices() const override {
    const Instance& instance = Instance::get();
    std::vector<DeviceInfo> infos;
    for (std::uint32_t i = 0; i < instance.physical_devices().size(); ++i)
      infos.push_back(probe(instance.functions(), instance.physical_devices()[i], i));
    return infos;
  }

  std::unique_ptr<Device> open(std::uint32_t index) const override;
};

std::unique_ptr<Device> VulkanBackend::open(std::uint32_t index) const {
  const Instance& instance = Instance::get();
  if (index >= instance.physical_devices().size())
    throw Error(ErrorCode::not_found, "vulkan:" + std::to_string(index), "there is no such device");
  const VkPhysicalDevice physical_device = instance.physical_devices()[index];
  const InstanceFunctions& functions = instance.functions();
  DeviceInfo info = probe(functions, physical_device, index);
  if (!info.usable) throw Error(ErrorCode::unsupported, info.id, info.usable.reason);

  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue_info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue_info.queueFamilyIndex = compute_queue_family(functions, physical_device);
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  VkPhysicalDeviceVulkan12Features features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  features.bufferDeviceAddress = VK_TRUE;
  VkPhysicalDeviceFeatures2 available{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  functions.vkGetPhysicalDeviceFeatures2(physical_device, &available);
  VkPhysicalDeviceFeatures core_features{};
  core_features.shaderFloat64 = available.features.shaderFloat64;
  VkDeviceCreateInfo device_info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  device_info.pNext = &features;
  device_info.pEnabledFeatures = &core_features;
  const bool with_matrices = cooperative_matrices(functions, physical_device).supported;
  const char* const matrix_extension = VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME;
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices{};
  if (with_matrices) {
    enable_cooperative_matrices(features, matrices);
    device_info.enabledExtensionCount = 1;
    device_info.ppEnabledExtensionNames = &matrix_extension;
  }
  device_info.queueCreateInfoCount = 1;
  device_info.pQueueCreateInfos = &queue_info;
  VkDevice device = VK_NULL_HANDLE;
  check(functions.vkCreateDevice(physical_device, &device_info, nullptr, &device),
        "vkCreateDevice");

  const auto get_queue =
      reinterpret_cast<PFN_vkGetDeviceQueue>(functions.vkGetDeviceProcAddr(device, "vkGetDeviceQueue"));
  DeviceHandles handles;
  handles.instance = instance.handle();
  handles.physical_device = physical_device;
  handles.device = device;
  handles.queue_family = queue_info.queueFamilyIndex;
  get_queue(device, handles.queue_family, 0, &handles.queue);
  handles.buffer_device_address = true;
  handles.debug_utils = instance.debug_utils();
  handles.cooperative_matrix = with_matrices;
  handles.shader_float64 = core_features.shaderFloat64 == VK_TRUE;
  return std::make_unique<VulkanDevice>(std::move(info), handles, functions, true);
}

}  // namespace

const Backend& vulkan_backend() {
  static const VulkanBackend backend;
  return backend;
}

}  // namespace proxel::vulkan
