#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gpu/gpu.hpp"

namespace gpu {

/// The contents of device memory, once the queue is idle.
std::vector<std::byte> read_back(Gpu& gpu, const GpuBuffer& buffer);

/// The pixels, 4 bytes each, of a picture that is in the layout for being copied from.
std::vector<std::byte> read_pixels(Gpu& gpu, const GpuImage& picture);

/// Writes a picture that is in the layout for being copied from as a PNG file. Throws proxel::Error(input_output).
void write_screenshot(Gpu& gpu, const GpuImage& picture, const std::string& path);

}  // namespace gpu
