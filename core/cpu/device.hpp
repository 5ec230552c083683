#pragma once

#include "cpu/machine.hpp"
#include "cpu/workers.hpp"
#include "in_use.hpp"
#include "proxel/device.hpp"

namespace proxel::cpu {

/// The host as a device. Work is done before submit() returns.
class HostDevice : public Device {
 public:
  /// @param info   one of the backend's list
  /// @param plain  runs every pass by its reference
  HostDevice(DeviceInfo info, bool plain, std::uint32_t threads);

  bool shares_addresses(const Device& other) const override { return other.info().backend == BackendKind::cpu; }
  Support supports(const Pass& pass) const override;
  void prepare(const Pass& pass) override;
  std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes, MemoryKind kind) override;
  std::unique_ptr<Texture> create_texture(std::uint32_t width, std::uint32_t height, std::uint32_t layers,
                                          TexelFormat format) override;
  std::unique_ptr<Commands> create_commands(Timing timing) override;
  void submit(Commands& commands) override;
  void wait() override {}
  Support supports_pinning() const override { return Support::yes(); }
  std::unique_ptr<Buffer> pin(const void* memory, std::uint64_t bytes) override;

 private:
  bool plain_;
  Workers workers_;
  InUse in_use_;
};

}  // namespace proxel::cpu
