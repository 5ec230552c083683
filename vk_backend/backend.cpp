#include <array>

#include "device.hpp"
#include "instance.hpp"
#include "probe.hpp"
#include "wishes.hpp"

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
  const GrantedWishes granted(wishes(functions, physical_device));
  VkDeviceCreateInfo device_info = granted.device_info();
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
  handles.debug_utils = instance.debug_utils();
  granted.tell(handles);
  return std::make_unique<VulkanDevice>(std::move(info), handles, functions, true);
}

}  // namespace

const Backend& vulkan_backend() {
  static const VulkanBackend& backend = *new VulkanBackend;  // never destroyed, as the instance
  return backend;
}

}  // namespace proxel::vulkan
