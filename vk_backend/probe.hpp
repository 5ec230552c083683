#pragma once

#include <optional>

#include "functions.hpp"
#include "proxel/device.hpp"

namespace proxel::vulkan {

/// What a physical device is and can do, and whether proxel can run on it.
DeviceInfo probe(const InstanceFunctions& functions, VkPhysicalDevice physical_device, std::uint32_t index);

/// Whether a driver makes the device up, to compile for hardware that is not there:
/// it does what its hardware would, but for executing.
bool runs_nothing(const InstanceFunctions& functions, VkPhysicalDevice physical_device);

/// The first queue family with compute, preferring one without graphics.
/// Throws Error(unsupported) where there is none.
std::uint32_t compute_queue_family(const InstanceFunctions& functions, VkPhysicalDevice physical_device);

/// The first queue family that does nothing but transfer: its queues copy beside all others. None where there is none.
std::optional<std::uint32_t> transfer_queue_family(const InstanceFunctions& functions,
                                                   VkPhysicalDevice physical_device);

/// Whether there is a queue family of that number, with compute, or why not.
Support serves_compute(const InstanceFunctions& functions, VkPhysicalDevice physical_device, std::uint32_t family);

/// Whether there is a queue family of that number that transfers, or why not.
Support serves_transfer(const InstanceFunctions& functions, VkPhysicalDevice physical_device, std::uint32_t family);

/// Whether the device offers an extension of that name.
bool has_extension(const InstanceFunctions& functions, VkPhysicalDevice physical_device, const char* name);

}  // namespace proxel::vulkan
