#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <vulkan/vulkan.h>

#include "proxel/pass.hpp"

namespace proxel::vulkan {

/// SPIR-V of the shader of that name, which is its pass's; empty where this build has none.
std::span<const std::uint32_t> shader_code(std::string_view shader);

/// The shader with its wishes to unroll loops taken out. A driver that runs shaders
/// on the processor gains little from unrolling, and SwiftShader's optimiser takes
/// more memory than there is over nested loops that ask for it.
std::vector<std::uint32_t> without_unrolling(std::span<const std::uint32_t> code);

/// The shader with memory barriers for its subgroup barriers. Where a subgroup is the lanes
/// of a processor's vector, they run in step anyway; and llvmpipe of Mesa 25 and 26 takes a
/// subgroup barrier for one of the workgroup (docs/drivers.md).
std::vector<std::uint32_t> without_subgroup_barriers(std::span<const std::uint32_t> code);

/// The shader, asking that operations on binary32 keep subnormal numbers, where it evaluates
/// anything exactly. Shaders with exponentials or roots of the device's own precision stay
/// as they are: these estimate, with bounds that cover what is flushed, and would be slower.
/// @param with_other_widths  also where the shader computes in binary16 or binary64 as well
std::vector<std::uint32_t> keeping_subnormals(std::span<const std::uint32_t> code, bool with_other_widths);

/// The descriptor set in whose binding 0 shaders find the buffer of telling_ended_loops().
inline constexpr std::uint32_t ended_loops_set = 2;

/// The shader, followed by a loop of as many rounds as the first word of that buffer says. Where it goes round
/// otherwise, the second word becomes 1: the driver has begun to end loops, and what the shader wrote is wrong.
/// llvmpipe of Mesa 22 counts the rounds of all loops of an invocation, and ends each after its first one when
/// they have been 65,535 (docs/drivers.md).
std::vector<std::uint32_t> telling_ended_loops(std::span<const std::uint32_t> code);

/// The subgroup operations that a shader declares to need.
VkSubgroupFeatureFlags subgroup_operations(std::span<const std::uint32_t> code);
/// "ballot and shuffle": the names of such operations.
std::string names_of(VkSubgroupFeatureFlags operations);
/// Whether a shader declares that it computes in binary64.
bool needs_float64(std::span<const std::uint32_t> code);
/// Whether a shader declares that it computes in binary16.
bool needs_float16(std::span<const std::uint32_t> code);
/// Whether a shader declares that it multiplies on matrix units.
bool needs_matrix_units(std::span<const std::uint32_t> code);
/// Whether a shader has cooperative matrices of halves for sums.
bool needs_half_sums(std::span<const std::uint32_t> code);
/// Whether a shader declares that it computes with integers of 8 bits.
bool needs_int8(std::span<const std::uint32_t> code);

}  // namespace proxel::vulkan
