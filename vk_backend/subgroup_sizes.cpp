#include "subgroup_sizes.hpp"

#include "probe.hpp"
#include "spirv.hpp"

namespace proxel::vulkan {

SubgroupSizes::SubgroupSizes(const InstanceFunctions& functions, VkPhysicalDevice physical_device)
    : extension(has_extension(functions, physical_device, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME)) {
  if (!extension) return;
  VkPhysicalDeviceProperties2 told{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  told.pNext = &properties;
  functions.vkGetPhysicalDeviceProperties2(physical_device, &told);
  VkPhysicalDeviceFeatures2 offered{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  offered.pNext = &features;
  functions.vkGetPhysicalDeviceFeatures2(physical_device, &offered);
}

bool reads_subgroup_size(std::span<const std::uint32_t> code) {
  constexpr std::uint32_t built_in = 11;       // a decoration (section 3.20)
  constexpr std::uint32_t subgroup_size = 36;  // of that kind (section 3.21)
  bool reads = false;
  spirv::for_each_instruction(code, [&](std::uint32_t opcode, std::span<const std::uint32_t> words) {
    reads |= opcode == spirv::decorate && words.size() == 4 && words[2] == built_in && words[3] == subgroup_size;
  });
  return reads;
}

}  // namespace proxel::vulkan
