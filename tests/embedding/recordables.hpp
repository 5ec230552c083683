#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "proxel/device.hpp"

/// One search as an engine has it: its data in buffers of its own, and what the
/// results must be, found on the reference device.
struct Recordable {
  /// What every byte of the results is before the search.
  static constexpr std::byte untouched{0xEE};

  std::string name;
  std::vector<std::vector<std::byte>> inputs;
  std::vector<std::vector<std::byte>> expected;
  std::uint64_t scratch_bytes = 0;
  /// A buffer as errors call it, and the bytes that the search cannot do without: none where all that it knows is an
  /// address.
  struct Role {
    std::string name;
    std::uint64_t bytes = 0;
    bool optional = false;  // it means something to give none
  };
  /// Those of the inputs, of the results and of the scratch memory. None where several calls record the search.
  std::vector<Role> roles;
  /// @param buffers  the inputs, the results, the scratch memory
  std::function<void(proxel::Recording&, std::span<const proxel::BufferView> buffers)> record;
  /// Instead, why the device has no such search.
  std::string unsupported;
};

/// Every method and every plan, prepared on a device that outlives them.
std::vector<Recordable> recordables(proxel::Device& device);
