#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <vulkan/vulkan.h>

#include "proxel/pass.hpp"

namespace proxel::vulkan {

/// The shader of a pass: its name, and behind it the variant where it names one.
std::string shader_name(const Pass& pass);

/// SPIR-V of the shader of that name; empty where this build has none.
std::span<const std::uint32_t> shader_code(std::string_view shader);

/// The subgroup operations that a shader declares to need.
VkSubgroupFeatureFlags subgroup_operations(std::span<const std::uint32_t> code);
/// "ballot and shuffle": the names of such operations.
std::string names_of(VkSubgroupFeatureFlags operations);

}  // namespace proxel::vulkan
