#pragma once

#include <cstdint>

#include <vulkan/vulkan.h>
#include <volk.h>

#include "cooperative_matrix_types.hpp"

namespace proxel::vulkan {

/// Instance-level functions, from one vkGetInstanceProcAddr. Nothing global is set.
struct InstanceFunctions {
  // clang-format off
#define PROXEL_INSTANCE_FUNCTIONS(F)            \
  F(vkDestroyInstance)                          \
  F(vkEnumeratePhysicalDevices)                 \
  F(vkGetPhysicalDeviceProperties2)             \
  F(vkGetPhysicalDeviceFeatures2)               \
  F(vkGetPhysicalDeviceMemoryProperties)        \
  F(vkGetPhysicalDeviceQueueFamilyProperties)   \
  F(vkEnumerateDeviceExtensionProperties)       \
  F(vkGetPhysicalDeviceExternalBufferProperties)    \
  F(vkGetPhysicalDeviceExternalSemaphoreProperties) \
  F(vkCreateDevice)                             \
  F(vkGetDeviceProcAddr)
// clang-format on
// Present only where VK_EXT_debug_utils was enabled, or the driver has the extension.
// clang-format off
#define PROXEL_OPTIONAL_INSTANCE_FUNCTIONS(F)   \
  F(vkCreateDebugUtilsMessengerEXT)             \
  F(vkDestroyDebugUtilsMessengerEXT)            \
  F(vkCmdBeginDebugUtilsLabelEXT)               \
  F(vkCmdEndDebugUtilsLabelEXT)                 \
  F(vkSetDebugUtilsObjectNameEXT)               \
  F(vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR)
// clang-format on
#define PROXEL_MEMBER(name) PFN_##name name = nullptr;
  PROXEL_INSTANCE_FUNCTIONS(PROXEL_MEMBER)
  PROXEL_OPTIONAL_INSTANCE_FUNCTIONS(PROXEL_MEMBER)
#undef PROXEL_MEMBER

  /// Throws Error(backend_failure) when a required function is missing.
  static InstanceFunctions load(VkInstance instance, PFN_vkGetInstanceProcAddr get);
};

/// Throws the proxel::Error that stands for a failed result; does nothing on success.
void check(VkResult result, const char* call);

}  // namespace proxel::vulkan

extern "C" void proxel_load_device_table(VolkDeviceTable* table, VkDevice device, PFN_vkGetDeviceProcAddr get);
