#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <vulkan/vulkan.h>

namespace proxel::vulkan {

/// SPIR-V of the pass of that name; empty where this build has none.
std::span<const std::uint32_t> shader_code(std::string_view pass);

/// The subgroup operations that a shader declares to need.
VkSubgroupFeatureFlags subgroup_operations(std::span<const std::uint32_t> code);
/// "ballot and shuffle": the names of such operations.
std::string names_of(VkSubgroupFeatureFlags operations);

}  // namespace proxel::vulkan
