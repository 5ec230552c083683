#pragma once

#include <cstdint>
#include <functional>

namespace proxel::tool {

/// Divides 0 … count - 1 into as many runs as there are threads to do them at once, and returns when all are done.
/// What one throws is thrown here, after all have ended.
void in_parts(std::uint64_t count, const std::function<void(std::uint64_t first, std::uint64_t count)>& part);

}  // namespace proxel::tool
