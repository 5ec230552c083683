#pragma once

// How many keys a workgroup selects at a time.

#include <algorithm>
#include <cstdint>

#include "proxel/device.hpp"
#include "proxel/passes/selection.hpp"
#include "proxel/passes/types.h"

namespace proxel::search {

/// The longest list a workgroup selects in 16 KiB of shared memory.
inline constexpr std::uint32_t longest_list = 1024;

/// How many of the wanted keys a workgroup of 128 finds at a time.
inline std::uint32_t keys_at_once(const Capabilities& capabilities, std::uint64_t wanted) {
  auto keys = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, longest_list));
  while (keys > 1 && passes::selection_shared_bytes(passes::list_length(keys), 128) > capabilities.shared_memory_bytes)
    keys /= 2;
  return keys;
}

}  // namespace proxel::search
