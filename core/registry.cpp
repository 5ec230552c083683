#include <string>
#include <utility>

#include "cpu/backend.hpp"
#include "proxel/device.hpp"

// Each backend that was built defines one function; core knows nothing else of it.
namespace proxel::vulkan {
const Backend& vulkan_backend();
}
namespace proxel::cuda {
const Backend& cuda_backend();
}

namespace proxel {
namespace {

// Stands for a backend that this build does not have.
class MissingBackend : public Backend {
 public:
  MissingBackend(BackendKind kind, std::string reason) : kind_(kind), reason_(std::move(reason)) {}
  BackendKind kind() const override { return kind_; }
  Support available() const override { return Support::no(Limit::build, reason_); }
  std::vector<DeviceInfo> devices() const override { return {}; }
  std::unique_ptr<Device> open(std::uint32_t) const override {
    throw Error(ErrorCode::not_found, std::string(to_string(kind_)), reason_);
  }

 private:
  BackendKind kind_;
  std::string reason_;
};

}  // namespace

const std::vector<const Backend*>& backends() {
#ifndef PROXEL_WITH_VULKAN
  static const MissingBackend missing_vulkan(BackendKind::vulkan, "this build of proxel has no Vulkan backend");
#endif
#ifndef PROXEL_WITH_CUDA
  static const MissingBackend missing_cuda(BackendKind::cuda, "this build of proxel has no CUDA backend");
#endif
  // Never destroyed: whoever destroys a device last may be a static object.
  static const auto& all = *new std::vector<const Backend*>{
      &cpu::cpu_backend(),
#ifdef PROXEL_WITH_VULKAN
      &vulkan::vulkan_backend(),
#else
      &missing_vulkan,
#endif
#ifdef PROXEL_WITH_CUDA
      &cuda::cuda_backend(),
#else
      &missing_cuda,
#endif
  };
  return all;
}

}  // namespace proxel
