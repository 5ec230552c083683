#pragma once

// How many keys a workgroup selects at a time.

#include <algorithm>
#include <cstdint>

#include "proxel/device.hpp"
#include "proxel/passes/selection.hpp"
#include "proxel/passes/types.h"
#include "search/check.hpp"

namespace proxel::search {

/// The longest list a workgroup selects in 16 KiB of shared memory.
inline constexpr std::uint32_t longest_list = 1024;

/// The longest that the `cpu` device selects, whose lists are in memory: 8 MiB.
inline constexpr std::uint32_t longest_list_of_cpu = 1u << 20;

/// How many of the wanted keys a workgroup of 128 finds at a time.
inline std::uint32_t keys_at_once(const Device& device, std::uint64_t wanted) {
  const std::uint32_t shared = device.capabilities().shared_memory_bytes;
  const std::uint32_t longest = is_cpu(device) ? longest_list_of_cpu : longest_list;
  auto keys = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, longest));
  while (keys > 1 && passes::selection_shared_bytes(passes::list_length(keys), 128) > shared) keys /= 2;
  return keys;
}

}  // namespace proxel::search
