#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "conformance.hpp"
#include "proxel/device.hpp"
#include "proxel/pass_compiler.hpp"

namespace proxel::conformance {

/// Stands for a device to which nothing is submitted: every pass is compiled for it, and the
/// host executes, so that what is recorded is what a device that is right would be given.
class CompilingDevice : public Device {
 public:
  explicit CompilingDevice(std::unique_ptr<PassCompiler> compiler);

  Support supports(const Pass& pass) const override;
  void prepare(const Pass& pass) override;
  std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes, MemoryKind kind) override;
  std::unique_ptr<Texture> create_texture(std::uint32_t width, std::uint32_t height, std::uint32_t layers,
                                          TexelFormat format) override;
  std::unique_ptr<Commands> create_commands(Timing timing) override;
  void submit(Commands& commands) override;
  void wait() override {}

  /// What is compiled from now on is for this case.
  void begin_case(const std::string& name);
  /// What went wrong since then; empty where every pass was compiled.
  const std::string& failure() const { return failure_; }
  /// Whether the host could not execute a pass since then: its answers mean nothing.
  bool skipped() const { return skipped_; }

  /// Every pipeline so far, by name and constants.
  std::vector<PipelineReport> pipelines() const;
  /// Why there are no numbers; empty where there are.
  std::string untold() const { return compiler_->statistics().reason; }

 private:
  class CompilingCommands;
  // What makes another pipeline: name, constants, workgroup size.
  using Key = std::tuple<std::string, std::array<std::uint32_t, 4>, std::uint32_t>;

  void compile(const Pass& pass);
  // Whether the host has this pass, too; one that it lacks is not executed.
  bool executes(const Pass& pass);

  std::unique_ptr<PassCompiler> compiler_;
  std::unique_ptr<Device> host_;
  std::map<Key, PipelineReport> pipelines_;
  std::string case_, failure_;
  bool skipped_ = false;
};

/// The same device, opened once more; the host for one that only compiles.
std::unique_ptr<Device> open_again(const Device& device);

}  // namespace proxel::conformance
