#pragma once

#include "proxel/trial.hpp"

namespace proxel::vulkan {

class VulkanDevice;

/// Runs four small kernels on proxel's own device, the first time that this process opens
/// the device with this driver; later the result is known.
/// Throws Error(unsupported) that names what the device computes wrongly.
Trial try_device(VulkanDevice& device);

/// What is known of a caller's device without running anything on it.
Trial known_trial(const VulkanDevice& device);

}  // namespace proxel::vulkan
