#pragma once

// What a driver's compiler makes of passes, without running one.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/device.hpp"
#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// One number that a compiler tells of a kernel.
struct CompilerStatistic {
  std::string name;         ///< as the driver gives it: "VGPRs", "Spilled SGPRs", "LDS size"
  std::string description;  ///< the driver's own; may be empty
  double value = 0;
};

/// A kernel that was compiled for one pass and thrown away again.
struct CompiledPass {
  std::uint32_t subgroup_size = 0;            ///< lanes that it runs in; 0 where the driver does not tell
  std::vector<CompilerStatistic> statistics;  ///< empty where the driver tells none
};

/// Compiles passes for a device and submits nothing to it: the device may be one that a
/// driver only makes up, to compile for hardware that the machine does not have.
/// Not thread-safe.
class PassCompiler {
 public:
  virtual ~PassCompiler() = default;
  PassCompiler() = default;
  PassCompiler(const PassCompiler&) = delete;
  PassCompiler& operator=(const PassCompiler&) = delete;

  /// Its subgroup_size is the one that was asked for.
  virtual const DeviceInfo& info() const = 0;
  /// Answers as Device::supports() does.
  virtual Support supports(const Pass& pass) const = 0;
  /// Whether compile() tells numbers, or why it tells none.
  virtual Support statistics() const = 0;
  /// Compiles the kernel that Device::prepare() would make for this pass.
  /// Throws Error: unsupported with supports()'s reason; backend_failure or out_of_memory
  /// where the driver could not compile it.
  virtual CompiledPass compile(const Pass& pass) = 0;
};

/// The compiler of a device that list_devices() has, usable or not.
/// @param id             as open_device() takes it
/// @param subgroup_size  lanes that kernels are compiled for; 0: what the device has
/// Throws Error: not_found for an id that no device has; unsupported, with the reason, where the
/// device's kernels are part of the program (cpu), where proxel could not run on such a device, or
/// where it does not let a program choose that subgroup size.
std::unique_ptr<PassCompiler> open_compiler(std::string_view id, std::uint32_t subgroup_size = 0);

}  // namespace proxel
PROXEL_PUBLIC_END
