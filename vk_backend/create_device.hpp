#pragma once

#include <vector>

#include "instance.hpp"
#include "proxel/vulkan.hpp"

namespace proxel::vulkan {

/// What a device is created with beside the wishes that are offered.
struct Extras {
  std::vector<const char*> extensions;
  /// The first of a chain of feature structures, or null; its end is linked further.
  VkBaseOutStructure* features = nullptr;
};

/// Creates a device with one compute queue, one that transfers alone where it has such, and everything that proxel
/// wishes for.
/// @param index  of instance.physical_devices(), which has it
DeviceHandles create_device(const Instance& instance, std::uint32_t index, const Extras& extras = {});

}  // namespace proxel::vulkan
