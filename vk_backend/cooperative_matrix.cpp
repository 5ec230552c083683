#include "cooperative_matrix.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "probe.hpp"

namespace proxel::vulkan {
namespace {

bool multiplies_halves(const VkCooperativeMatrixPropertiesKHR& shape) {
  return shape.MSize == 16 && shape.NSize == 16 && shape.KSize == 16 &&
         shape.AType == VK_COMPONENT_TYPE_FLOAT16_KHR &&
         shape.BType == VK_COMPONENT_TYPE_FLOAT16_KHR &&
         shape.CType == VK_COMPONENT_TYPE_FLOAT32_KHR &&
         shape.ResultType == VK_COMPONENT_TYPE_FLOAT32_KHR && shape.scope == VK_SCOPE_SUBGROUP_KHR;
}

}  // namespace

Support cooperative_matrices(const InstanceFunctions& functions, VkPhysicalDevice physical_device) {
  constexpr std::uint32_t subgroup_of_the_shader = 32;
  if (!has_extension(functions, physical_device, VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME) ||
      !functions.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR)
    return Support::no("the device has no " VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME);
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices{};
  matrices.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR;
  VkPhysicalDeviceVulkan12Features vulkan12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  vulkan12.pNext = &matrices;
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  features.pNext = &vulkan12;
  functions.vkGetPhysicalDeviceFeatures2(physical_device, &features);
  if (!matrices.cooperativeMatrix || !vulkan12.shaderFloat16 || !vulkan12.vulkanMemoryModel ||
      !vulkan12.vulkanMemoryModelDeviceScope)
    return Support::no("the device lacks one of the features cooperativeMatrix, shaderFloat16, "
                       "vulkanMemoryModel and vulkanMemoryModelDeviceScope");
  VkPhysicalDeviceVulkan11Properties vulkan11{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  properties.pNext = &vulkan11;
  functions.vkGetPhysicalDeviceProperties2(physical_device, &properties);
  if (vulkan11.subgroupSize != subgroup_of_the_shader)
    return Support::no(fmt::format("needs subgroups of {}, the device has {}",
                                   subgroup_of_the_shader, vulkan11.subgroupSize));
  std::uint32_t count = 0;
  const auto get_shapes = functions.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR;
  check(get_shapes(physical_device, &count, nullptr),
        "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
  VkCooperativeMatrixPropertiesKHR blank{};
  blank.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
  std::vector<VkCooperativeMatrixPropertiesKHR> shapes(count, blank);
  check(get_shapes(physical_device, &count, shapes.data()),
        "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
  if (std::none_of(shapes.begin(), shapes.end(), multiplies_halves))
    return Support::no("the device's cooperative matrices do not multiply 16 x 16 halves into binary32");
  return Support::yes();
}

void enable_cooperative_matrices(VkPhysicalDeviceVulkan12Features& vulkan12,
                                 VkPhysicalDeviceCooperativeMatrixFeaturesKHR& matrices) {
  vulkan12.shaderFloat16 = VK_TRUE;
  vulkan12.vulkanMemoryModel = VK_TRUE;
  vulkan12.vulkanMemoryModelDeviceScope = VK_TRUE;
  matrices.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR;
  matrices.cooperativeMatrix = VK_TRUE;
  matrices.pNext = vulkan12.pNext;
  vulkan12.pNext = &matrices;
}

}  // namespace proxel::vulkan
