#include "proxel/pass_compiler.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "proxel/error.hpp"

// Each backend that compiles kernels and was built defines one function.
namespace proxel::vulkan {
std::unique_ptr<PassCompiler> open_compiler(std::uint32_t index, std::uint32_t subgroup_size);
}
namespace proxel::cuda {
std::unique_ptr<PassCompiler> open_compiler(std::uint32_t index, std::uint32_t subgroup_size);
}

namespace proxel {

std::unique_ptr<PassCompiler> open_compiler(std::string_view id, std::uint32_t subgroup_size) {
  const std::vector<DeviceInfo> devices = list_devices();
  const auto found = std::find_if(devices.begin(), devices.end(), [&](const DeviceInfo& device) {
    return device.id == id || (device.index == 0 && id == to_string(device.backend));
  });
  // An id that no device answers to gets the registry's own error.
  if (found == devices.end())
    open_device(id);
  else if (found->backend == BackendKind::vulkan) {
#ifdef PROXEL_WITH_VULKAN
    return vulkan::open_compiler(found->index, subgroup_size);
#endif
  } else if (found->backend == BackendKind::cuda) {
#ifdef PROXEL_WITH_CUDA
    return cuda::open_compiler(found->index, subgroup_size);
#endif
  }
  throw Error(ErrorCode::unsupported, std::string(id), "compiles no kernels: they are part of the program");
}

}  // namespace proxel
