#include "cpu/backend.hpp"

#include <fmt/format.h>

#include "cpu/device.hpp"
#include "cpu/processor.hpp"

namespace proxel::cpu {
namespace {

constexpr std::uint32_t fast_device = 0;
constexpr std::uint32_t reference_device = 1;

DeviceInfo describe(std::uint32_t index) {
  const bool plain = index == reference_device;
  const std::uint32_t threads = plain ? 1 : thread_count();
  DeviceInfo info;
  info.backend = BackendKind::cpu;
  info.index = index;
  info.id = plain ? "cpu:reference" : "cpu";
  info.name = processor_name();
  info.driver = fmt::format("{} thread{}, {}", threads, threads == 1 ? "" : "s",
                            plain ? "plain reference" : usable_kernels().front().instruction_set);

  Capabilities& has = info.capabilities;
  has.memory_bytes = physical_memory_bytes();
  has.max_allocation_bytes = has.memory_bytes;
  has.subgroup_size = 1;
  // Workgroups are only a way to divide work here, and what they share is memory; these let every plan choose freely.
  has.max_workgroup_size = 1024;
  has.shared_memory_bytes = 64 * 1024 * 1024;
  has.multiprocessors = threads;
  has.max_texture_extent = 16384;
  has.max_texture_layers = 2048;
  has.timestamps = true;
  has.runs_on_host = true;
  return info;
}

class HostBackend : public Backend {
 public:
  BackendKind kind() const override { return BackendKind::cpu; }
  Support available() const override { return Support::yes(); }
  std::vector<DeviceInfo> devices() const override { return {describe(fast_device), describe(reference_device)}; }
  std::unique_ptr<Device> open(std::uint32_t index) const override {
    if (index > reference_device)
      throw Error(ErrorCode::not_found, fmt::format("cpu device {}", index), "there are devices 0 and 1");
    const DeviceInfo info = describe(index);
    return std::make_unique<HostDevice>(info, index == reference_device, info.capabilities.multiprocessors);
  }
};

}  // namespace

const Backend& cpu_backend() {
  static const HostBackend backend;
  return backend;
}

}  // namespace proxel::cpu
