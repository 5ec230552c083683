#pragma once

#include <string>
#include <vector>

#include "functions.hpp"
#include "proxel/device.hpp"

namespace proxel::vulkan {

/// proxel's own loader and instance, made on first use and kept for good: a
/// program that ends destroys neither. The environment variable PROXEL_VALIDATION=1 turns the
/// Khronos validation layer with synchronisation validation on and prints its
/// messages; =fatal ends the program at the first of them.
class Instance {
 public:
  static const Instance& get();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const Support& available() const { return available_; }
  VkInstance handle() const { return instance_; }
  const InstanceFunctions& functions() const { return functions_; }
  PFN_vkGetInstanceProcAddr get_proc_addr() const { return get_proc_addr_; }
  const std::vector<VkPhysicalDevice>& physical_devices() const { return physical_devices_; }
  bool debug_utils() const { return debug_utils_; }

 private:
  Instance();
  void create();

  Support available_;
  void* library_ = nullptr;
  PFN_vkGetInstanceProcAddr get_proc_addr_ = nullptr;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  InstanceFunctions functions_;
  std::vector<VkPhysicalDevice> physical_devices_;
  bool debug_utils_ = false;
};

}  // namespace proxel::vulkan
