#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace proxel::vulkan {

/// SPIR-V of the pass of that name; empty where this build has none.
std::span<const std::uint32_t> shader_code(std::string_view pass);

}  // namespace proxel::vulkan
