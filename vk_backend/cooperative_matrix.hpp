#pragma once

#include "functions.hpp"
#include "proxel/pass.hpp"

namespace proxel::vulkan {

/// Whether a device that has VK_KHR_cooperative_matrix multiplies 16 x 16 halves into
/// 16 x 16 binary32 sums in subgroups of 32; or why not.
Support cooperative_matrices(const InstanceFunctions& functions, VkPhysicalDevice physical_device);

}  // namespace proxel::vulkan
