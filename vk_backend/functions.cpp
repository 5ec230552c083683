#include "functions.hpp"

#include <fmt/format.h>

#include "proxel/error.hpp"

namespace proxel::vulkan {

InstanceFunctions InstanceFunctions::load(VkInstance instance, PFN_vkGetInstanceProcAddr get) {
  InstanceFunctions functions;
#define PROXEL_LOAD(name) functions.name = reinterpret_cast<PFN_##name>(get(instance, #name));
#define PROXEL_REQUIRE(name) \
  PROXEL_LOAD(name)          \
  if (!functions.name) throw Error(ErrorCode::backend_failure, "vulkan", "the loader has no function " #name);
  PROXEL_INSTANCE_FUNCTIONS(PROXEL_REQUIRE)
  PROXEL_OPTIONAL_INSTANCE_FUNCTIONS(PROXEL_LOAD)
#undef PROXEL_LOAD
#undef PROXEL_REQUIRE
  return functions;
}

void check(VkResult result, const char* call) {
  switch (result) {
    case VK_SUCCESS:
      return;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_MEMORY_MAP_FAILED:
      throw Error(ErrorCode::out_of_memory, "vulkan", fmt::format("{} ran out of memory", call));
    case VK_ERROR_DEVICE_LOST:
      throw Error(ErrorCode::device_lost, "vulkan", fmt::format("{}: the device was lost", call));
    default:
      throw Error(ErrorCode::backend_failure, "vulkan",
                  fmt::format("{} failed with VkResult {}", call, static_cast<int>(result)));
  }
}

}  // namespace proxel::vulkan
