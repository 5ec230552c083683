#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <volk.h>

namespace proxel::faults {

/// Vulkan as the library sees it, whose functions can be made to fail, and which counts the objects of a device.
/// What a driver allocates is not the library's (NotOurs).
struct VulkanFaults {
  /// vkGetInstanceProcAddr, to be handed to the library.
  static PFN_vkVoidFunction VKAPI_CALL get_instance_proc_addr(VkInstance instance, const char* name);

  /// A function that returns a VkResult.
  struct Function {
    std::string name;
    std::uint64_t calls = 0;       ///< since fail_nothing()
    std::vector<VkResult> errors;  ///< that it may return
    std::size_t number = 0;
  };
  static std::vector<Function> functions();

  /// Forgets all calls.
  static void fail_nothing();
  /// Call number `call`, from 0, returns the error and does nothing. From VK_ERROR_DEVICE_LOST on all calls that
  /// may return it do, and the device has no work any more.
  static void fail(const Function& function, std::uint64_t call, VkResult error);
  /// No more calls fail. Returns whether any has.
  static bool restore();

  /// Objects that have been made and not been destroyed.
  static std::int64_t objects();

  /// Whether memory has been freed, since the last call of this, while what was submitted was running.
  static bool freed_while_running();
};

}  // namespace proxel::faults
