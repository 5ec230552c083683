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

/// Whether a shader reads how many invocations a subgroup has. It then counts on so many: a
/// driver may otherwise run it in narrower ones.
bool reads_subgroup_size(std::span<const std::uint32_t> code);

}  // namespace proxel::vulkan
