#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "proxel/device.hpp"

namespace proxel::glsl {

/// The reference device with subgroups: passes whose shaders use them run as the shaders are
/// written, in subgroups of any size. Everything else is the reference's.
class LanesDevice : public Device {
 public:
  /// @param subgroup_size  4 … 128
  explicit LanesDevice(std::uint32_t subgroup_size);

  Support supports(const Pass& pass) const override { return host_->supports(pass); }
  void prepare(const Pass& pass) override { host_->prepare(pass); }
  std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes, MemoryKind kind) override {
    return host_->create_buffer(bytes, kind);
  }
  std::unique_ptr<Texture> create_texture(std::uint32_t width, std::uint32_t height, std::uint32_t layers,
                                          TexelFormat format) override {
    return host_->create_texture(width, height, layers, format);
  }
  std::unique_ptr<Commands> create_commands(Timing timing) override;
  void submit(Commands& commands) override;
  void wait() override {}

  /// How often each shader ran.
  const std::map<std::string, int>& runs() const { return runs_; }

 private:
  class Recorded;
  bool run(const Pass& pass);  // whether its shader is one of these

  std::unique_ptr<Device> host_;
  std::map<std::string, int> runs_;
};

}  // namespace proxel::glsl
