#pragma once

#include "functions.hpp"
#include "proxel/pass.hpp"

namespace proxel::vulkan {

/// Whether a device multiplies 16 x 16 halves into 16 x 16 binary32 sums in
/// subgroups of 32, with VK_KHR_cooperative_matrix; or why not.
Support cooperative_matrices(const InstanceFunctions& functions, VkPhysicalDevice physical_device);

/// Adds to the features of a device what their shaders need; `matrices` is filled
/// and chained behind `vulkan12`.
void enable_cooperative_matrices(VkPhysicalDeviceVulkan12Features& vulkan12,
                                 VkPhysicalDeviceCooperativeMatrixFeaturesKHR& matrices);

}  // namespace proxel::vulkan
