#pragma once

#include "proxel/device.hpp"

namespace proxel::session {

/// Device memory that what is searched may take, bytes. @param wanted  0: four fifths of what the device has
inline std::uint64_t memory_limit_of(const Device& device, std::uint64_t wanted) {
  return wanted != 0 ? wanted : device.capabilities().memory_bytes / 5 * 4;
}

}  // namespace proxel::session
