#pragma once

#include <cstdint>
#include <memory>

#include "proxel/device.hpp"

namespace proxel::tool {

/// Opens the cpu device with that many threads, whatever the environment says.
std::unique_ptr<Device> open_with_threads(std::uint32_t threads);

}  // namespace proxel::tool
