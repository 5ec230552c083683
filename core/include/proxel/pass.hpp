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

struct Pass;
namespace cpu {
struct Machine;
}

/// What a pass is, whatever it is given. Each pass has one, declared in its header (proxel/passes/<name>.h) and
/// defined in its source; its address is its identity.
struct PassKind {
  /// For people, and what a backend finds the kernel by that it compiled for the pass: "scan_select".
  const char* name;
  /// The plain form of the pass on the host, the oracle of its kernels; null where the host has none.
  void (*reference)(const Pass& pass);
  /// The threaded, vectorised form; null where the plain one is all that the host has.
  void (*threaded)(const Pass& pass, cpu::Machine& machine);
  /// Names of the specialisation constants, in order.
  const char* const* constants;
  std::uint32_t constant_count;
};

/// The constants of a pass that has none.
struct NoConstants {};

/// A kind of pass with the structs that it takes.
template <typename Parameters, typename Constants = NoConstants>
struct PassKindOf : PassKind {
  static_assert(std::is_trivially_copyable_v<Parameters>);
  static_assert(sizeof(Parameters) <= 128, "Vulkan guarantees 128 bytes of push constants");
  constexpr explicit PassKindOf(const char* its_name, void (*its_reference)(const Pass&) = nullptr,
                                void (*its_threaded)(const Pass&, cpu::Machine&) = nullptr)
      : PassKind{its_name, its_reference, its_threaded, nullptr, 0} {
    if constexpr (!std::is_empty_v<Constants>) {
      static_assert(Constants::in_order(), "a constant's number is its place in the list");
      constants = Constants::names;
      constant_count = sizeof(Constants) / 4;
    }
  }
};

/// One kernel launch, described without naming a backend. The parameters are the
/// struct that C++, CUDA and shaders share (proxel/passes/<name>.h), in which
/// buffers are device addresses. Made by make_pass().
struct Pass {
  const PassKind* kind = nullptr;
  /// The pass's parameter struct, byte for byte; at most 128 bytes, the
  /// push-constant size that every Vulkan device has.
  alignas(8) std::array<std::byte, 128> parameters{};
  std::uint32_t parameter_bytes = 0;
  /// The struct of the pass's specialisation constants, word by word. They choose a
  /// variant of the kernel.
  std::array<std::uint32_t, 4> constants{};
  Grid grid;
  /// Invocations of one workgroup, and the shared memory it needs in bytes: a
  /// device with less of either does not support the pass.
  std::uint32_t workgroup_size = 1;
  std::uint32_t shared_bytes = 0;
  /// Textures in the order in which the pass's header names them; not owned.
  std::array<Texture*, 2> textures{};

  /// Empty where there is no kind.
  const char* name() const { return kind ? kind->name : ""; }
  /// Reads the parameters back as the struct they were made from.
  template <typename Parameters>
  Parameters as() const {
    static_assert(sizeof(Parameters) <= sizeof parameters);
    return read<Parameters>(parameters.data());
  }
  /// Reads the constants back as the struct they were made from.
  template <typename Constants>
  Constants constants_as() const {
    static_assert(Constants::in_order() && sizeof(Constants) <= sizeof constants);
    return read<Constants>(constants.data());
  }

 private:
  template <typename T>
  static T read(const void* from) {
    static_assert(std::is_trivially_copyable_v<T>);
    T result;
    std::memcpy(&result, from, sizeof result);
    return result;
  }
};

/// Builds a pass of its kind's own structs.
template <typename Parameters, typename Constants>
Pass make_pass(const PassKindOf<Parameters, Constants>& kind, const Parameters& parameters, const Constants& constants,
               Grid grid, std::uint32_t workgroup_size, std::uint32_t shared_bytes = 0,
               std::array<Texture*, 2> textures = {}) {
  Pass pass;
  pass.kind = &kind;
  std::memcpy(pass.parameters.data(), &parameters, sizeof parameters);
  pass.parameter_bytes = sizeof parameters;
  if constexpr (!std::is_empty_v<Constants>) {
    static_assert(sizeof constants <= sizeof pass.constants);
    std::memcpy(pass.constants.data(), &constants, sizeof constants);
  }
  pass.grid = grid;
  pass.workgroup_size = workgroup_size;
  pass.shared_bytes = shared_bytes;
  pass.textures = textures;
  return pass;
}

/// The specialisation constants of a pass, for people: "metric 1, list_length 16"; "no constants" where it has none.
std::string text_of_constants(const Pass& pass);

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
