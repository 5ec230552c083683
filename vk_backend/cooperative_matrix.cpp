#include "cooperative_matrix.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace proxel::vulkan {
namespace {

bool multiplies(const VkCooperativeMatrixPropertiesKHR& shape, std::uint32_t depth, VkComponentTypeKHR values,
                VkComponentTypeKHR sums) {
  return shape.MSize == 16 && shape.NSize == 16 && shape.KSize == depth && shape.AType == values &&
         shape.BType == values && shape.CType == sums && shape.ResultType == sums &&
         shape.saturatingAccumulation == VK_FALSE && shape.scope == VK_SCOPE_SUBGROUP_KHR;
}
bool multiplies_halves(const VkCooperativeMatrixPropertiesKHR& shape) {
  return multiplies(shape, 16, VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR);
}
bool sums_up_in_halves(const VkCooperativeMatrixPropertiesKHR& shape) {
  return multiplies(shape, 16, VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT16_KHR);
}
bool multiplies_integers(const VkCooperativeMatrixPropertiesKHR& shape) {
  return multiplies(shape, 32, VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_SINT32_KHR);
}
CooperativeMatrices none(const std::string& why) { return {Support::no(why), Support::no(why), Support::no(why)}; }

}  // namespace

CooperativeMatrices cooperative_matrices(const InstanceFunctions& functions, VkPhysicalDevice physical_device) {
  constexpr std::uint32_t subgroup_of_the_shader = 32;
  if (!functions.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR)
    return none("the loader does not know " VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME);
  VkPhysicalDeviceVulkan11Properties vulkan11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  properties.pNext = &vulkan11;
  functions.vkGetPhysicalDeviceProperties2(physical_device, &properties);
  if (vulkan11.subgroupSize != subgroup_of_the_shader)
    return none(fmt::format("needs subgroups of {}, the device has {}", subgroup_of_the_shader, vulkan11.subgroupSize));
  std::uint32_t count = 0;
  const auto get_shapes = functions.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR;
  check(get_shapes(physical_device, &count, nullptr), "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
  VkCooperativeMatrixPropertiesKHR blank{};
  blank.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
  std::vector<VkCooperativeMatrixPropertiesKHR> shapes(count, blank);
  check(get_shapes(physical_device, &count, shapes.data()), "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
  CooperativeMatrices matrices{Support::yes(), Support::yes(), Support::yes()};
  if (std::none_of(shapes.begin(), shapes.end(), multiplies_halves))
    matrices.halves = Support::no("the device's cooperative matrices do not multiply 16 x 16 halves into binary32");
  if (std::none_of(shapes.begin(), shapes.end(), sums_up_in_halves))
    matrices.half_sums = Support::no("the device's cooperative matrices do not multiply 16 x 16 halves into halves");
  if (std::none_of(shapes.begin(), shapes.end(), multiplies_integers))
    matrices.integers =
        Support::no("the device's cooperative matrices do not multiply 16 x 32 integers of 8 bits into 32");
  return matrices;
}

}  // namespace proxel::vulkan
