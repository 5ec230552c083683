#pragma once

#include <span>

#include "functions.hpp"

namespace proxel::vulkan {

/// What a device offers of VK_EXT_subgroup_size_control; nothing is set where it lacks it. The
/// features enable themselves: they are what vkCreateDevice takes.
struct SubgroupSizes {
  VkPhysicalDeviceSubgroupSizeControlFeatures features{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES};
  VkPhysicalDeviceSubgroupSizeControlProperties properties{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
  bool extension = false;

  SubgroupSizes(const InstanceFunctions& functions, VkPhysicalDevice physical_device);
};

/// Whether a shader reads the size of its subgroup. It then relies on subgroups being full, and a driver may
/// run it in narrower ones unless it is told not to.
bool reads_subgroup_size(std::span<const std::uint32_t> code);

}  // namespace proxel::vulkan
