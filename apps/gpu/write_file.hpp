#pragma once

#include <string>
#include <string_view>

namespace gpu {

/// Writes a file, whole or not at all; into a pipe or a device as it is. Throws proxel::Error(input_output).
void write_file(const std::string& path, std::string_view content);

}  // namespace gpu
