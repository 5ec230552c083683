#include "create_device.hpp"

#include "probe.hpp"
#include "subgroup_sizes.hpp"
#include "wishes.hpp"

namespace proxel::vulkan {

DeviceHandles create_device(const Instance& instance, std::uint32_t index, const Extras& extras) {
  const VkPhysicalDevice physical_device = instance.physical_devices()[index];
  const InstanceFunctions& functions = instance.functions();
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue_info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue_info.queueFamilyIndex = compute_queue_family(functions, physical_device);
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  std::vector<VkDeviceQueueCreateInfo> queues{queue_info};
  const std::vector<Wish> wished = wishes(functions, physical_device);
  const GrantedWishes granted(wished);
  // What the transfers' queue signals are timeline semaphores.
  const auto transfers = offered(wished, &DeviceHandles::external_semaphore)
                             ? transfer_queue_family(functions, physical_device)
                             : std::nullopt;
  if (transfers) {
    queue_info.queueFamilyIndex = *transfers;
    queues.push_back(queue_info);
  }
  VkDeviceCreateInfo device_info = granted.device_info();
  device_info.queueCreateInfoCount = static_cast<std::uint32_t>(queues.size());
  device_info.pQueueCreateInfos = queues.data();
  std::vector<const char*> extensions(device_info.ppEnabledExtensionNames,
                                      device_info.ppEnabledExtensionNames + device_info.enabledExtensionCount);
  extensions.insert(extensions.end(), extras.extensions.begin(), extras.extensions.end());
  SubgroupSizes sizes(functions, physical_device);
  if (sizes.extension) {
    extensions.push_back(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    sizes.features.pNext = const_cast<void*>(device_info.pNext);
    device_info.pNext = &sizes.features;
  }
  device_info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  device_info.ppEnabledExtensionNames = extensions.data();
  if (VkBaseOutStructure* last = extras.features) {
    while (last->pNext) last = last->pNext;
    last->pNext = static_cast<VkBaseOutStructure*>(const_cast<void*>(device_info.pNext));
    device_info.pNext = extras.features;
  }
  VkDevice device = VK_NULL_HANDLE;
  check(functions.vkCreateDevice(physical_device, &device_info, nullptr, &device), "vkCreateDevice");

  const auto get_queue =
      reinterpret_cast<PFN_vkGetDeviceQueue>(functions.vkGetDeviceProcAddr(device, "vkGetDeviceQueue"));
  DeviceHandles handles;
  handles.instance = instance.handle();
  handles.physical_device = physical_device;
  handles.device = device;
  handles.queue_family = queues.front().queueFamilyIndex;
  get_queue(device, handles.queue_family, 0, &handles.queue);
  if (queues.size() > 1) {
    handles.transfer_queue_family = queues.back().queueFamilyIndex;
    get_queue(device, handles.transfer_queue_family, 0, &handles.transfer_queue);
  }
  handles.debug_utils = instance.debug_utils();
  granted.tell(handles);
  return handles;
}

}  // namespace proxel::vulkan
