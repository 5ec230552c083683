#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "proxel/pass.hpp"

namespace proxel::vulkan {

/// The shader of a pass: its name, and behind it the variant where it names one.
std::string shader_name(const Pass& pass);

/// SPIR-V of the shader of that name; empty where this build has none.
std::span<const std::uint32_t> shader_code(std::string_view shader);

}  // namespace proxel::vulkan
