#include "create_device.hpp"
#include "device.hpp"
#include "probe.hpp"

namespace proxel::vulkan {
namespace {

class VulkanBackend : public Backend {
 public:
  BackendKind kind() const override { return BackendKind::vulkan; }
  Support available() const override { return Instance::get().available(); }

  std::vector<DeviceInfo> devices() const override {
    const Instance& instance = Instance::get();
    std::vector<DeviceInfo> infos;
    for (std::uint32_t i = 0; i < instance.physical_devices().size(); ++i)
      infos.push_back(probe(instance.functions(), instance.physical_devices()[i], i));
    return infos;
  }

  std::unique_ptr<Device> open(std::uint32_t index) const override;
};

std::unique_ptr<Device> VulkanBackend::open(std::uint32_t index) const {
  const Instance& instance = Instance::get();
  if (index >= instance.physical_devices().size())
    throw Error(ErrorCode::not_found, "vulkan:" + std::to_string(index), "there is no such device");
  const InstanceFunctions& functions = instance.functions();
  DeviceInfo info = probe(functions, instance.physical_devices()[index], index);
  if (!info.usable) throw Error(ErrorCode::unsupported, info.id, info.usable.reason);

  return std::make_unique<VulkanDevice>(std::move(info), create_device(instance, index), functions, true);
}

}  // namespace

const Backend& vulkan_backend() {
  static const VulkanBackend& backend = *new VulkanBackend;  // never destroyed, as the instance
  return backend;
}

}  // namespace proxel::vulkan
