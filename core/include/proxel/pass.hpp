#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel {

class Texture;

/// Number of workgroups in each direction. Plans keep each at or below 65,535,
/// which every Vulkan device allows.
struct Grid {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
};

inline constexpr std::uint32_t largest_grid_extent = 65535;

/// One kernel launch, described without naming a backend.
/// The name selects the reference function, the shader and the CUDA kernel of
/// that name; the parameters are the struct that all three share
/// (proxel/passes/<name>.h), in which buffers are device addresses.
struct Pass {
  /// Name of the pass, a string literal: "scan_select".
  const char* name = "";
  /// Names another kernel for the same pass, a string literal; a device that has
  /// none does not support the pass. "", or what begins with "matrix" and needs
  /// matrix units.
  const char* variant = "";
  /// The pass's parameter struct, byte for byte; at most 128 bytes, the
  /// push-constant size that every Vulkan device has.
  alignas(8) std::array<std::byte, 128> parameters{};
  std::uint32_t parameter_bytes = 0;
  /// Specialisation constants 0…3. The meaning is the pass's own; each pass's
  /// header says which it reads. They choose a variant of the kernel.
  std::array<std::uint32_t, 4> constants{};
  Grid grid;
  /// Invocations of one workgroup, and the shared memory it needs in bytes: a
  /// device with less of either does not support the pass.
  std::uint32_t workgroup_size = 1;
  std::uint32_t shared_bytes = 0;
  /// Textures in the order in which the pass's header names them; not owned.
  std::array<Texture*, 2> textures{};

  /// Reads the parameters back as the struct they were made from.
  template <typename Parameters>
  Parameters as() const {
    static_assert(std::is_trivially_copyable_v<Parameters>);
    Parameters result;
    std::memcpy(&result, parameters.data(), sizeof result);
    return result;
  }
};

/// Builds a pass from its typed parameters.
template <typename Parameters>
Pass make_pass(const char* name, const Parameters& parameters, const std::array<std::uint32_t, 4>& constants, Grid grid,
               std::uint32_t workgroup_size, std::uint32_t shared_bytes = 0, std::array<Texture*, 2> textures = {}) {
  static_assert(std::is_trivially_copyable_v<Parameters>);
  static_assert(sizeof(Parameters) <= 128, "Vulkan guarantees 128 bytes of push constants");
  Pass pass;
  pass.name = name;
  std::memcpy(pass.parameters.data(), &parameters, sizeof parameters);
  pass.parameter_bytes = sizeof parameters;
  pass.constants = constants;
  pass.grid = grid;
  pass.workgroup_size = workgroup_size;
  pass.shared_bytes = shared_bytes;
  pass.textures = textures;
  return pass;
}

/// What stands in the way of something that is not supported: for programs, as Support::reason is for people.
enum class Limit : std::uint32_t {
  device,      ///< the device or its driver lacks something, or has too little of it
  build,       ///< this build of proxel was made without it
  kernel,      ///< the backend has no kernel for the pass, or for that variant of it
  method,      ///< the method does nothing of the kind
  metric,      ///< the method serves other metrics
  neighbors,   ///< k is more than the method finds, or more than it finds among so few rows
  dimensions,  ///< the method serves fewer
  rows,        ///< how many rows there are, or where and in what form they are kept
  narrowing,   ///< a filter, a search that continues, or queries that the device counts
  unfinished,  ///< the index is in the middle of a change, which has to be completed first
};

/// Whether a device or a method can do something, and if not, why not.
struct Support {
  bool supported = true;
  /// Empty where supported; otherwise one clause, for example
  /// "needs 40,960 bytes of shared memory, the device has 32,768".
  std::string reason;
  Limit limit = Limit::device;  ///< means nothing where supported

  explicit operator bool() const { return supported; }
  static Support yes() { return {}; }
  static Support no(std::string why) { return no(Limit::device, std::move(why)); }
  static Support no(Limit limit, std::string why) { return {false, std::move(why), limit}; }
};

}  // namespace proxel
PROXEL_PUBLIC_END
