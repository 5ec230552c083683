#pragma once

#include "functions.hpp"
#include "proxel/pass.hpp"

namespace proxel::vulkan {

/// What a device that has VK_KHR_cooperative_matrix multiplies in subgroups of 32, or why not.
struct CooperativeMatrices {
  Support halves;     ///< 16 x 16 halves into 16 x 16 binary32 sums
  Support half_sums;  ///< 16 x 16 halves into 16 x 16 halves
  Support integers;   ///< 16 x 32 signed integers of 8 bits into 16 x 16 of 32
};
CooperativeMatrices cooperative_matrices(const InstanceFunctions& functions, VkPhysicalDevice physical_device);

}  // namespace proxel::vulkan
