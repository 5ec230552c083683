#pragma once

#include <span>

#include "recordables.hpp"

/// Records every search that one call records with each of its buffers as it must not be: missing, one byte short, past
/// its buffer's end, of another device, in the same memory as one that is written. Each has to be refused as an invalid
/// argument that names the buffer, with nothing recorded.
/// @param others  devices whose buffers are not the device's
void check_refusals(proxel::Device& device, std::span<proxel::Device* const> others);
