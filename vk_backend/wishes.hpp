#pragma once

#include <vector>

#include "functions.hpp"
#include "proxel/vulkan.hpp"

namespace proxel::vulkan {

/// What there is to wish for, and whether a device offers it.
std::vector<Wish> wishes(const InstanceFunctions& functions, VkPhysicalDevice physical_device);

/// Whether all wishes that stand behind a flag of DeviceHandles are offered, or why not.
Support offered(const std::vector<Wish>& wishes, bool DeviceHandles::* enabled);

/// Extensions and features of a device that is created with every wish that is offered.
class GrantedWishes {
 public:
  explicit GrantedWishes(const std::vector<Wish>& wishes);
  GrantedWishes(const GrantedWishes&) = delete;
  GrantedWishes& operator=(const GrantedWishes&) = delete;

  /// To create a device with. Points into this object.
  VkDeviceCreateInfo device_info() const;
  /// Sets what was enabled.
  void tell(DeviceHandles& handles) const;

 private:
  std::vector<const char*> extensions_;
  std::vector<bool DeviceHandles::*> enabled_;
  VkPhysicalDeviceFeatures core_{};
  VkPhysicalDeviceVulkan12Features vulkan12_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices_{};
};

}  // namespace proxel::vulkan
