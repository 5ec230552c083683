#include "shaders.hpp"

#include <array>
#include <utility>

namespace proxel::vulkan {
namespace {
#include "proxel_shader_arrays.inc"
}  // namespace

std::span<const std::uint32_t> shader_code(std::string_view shader) {
  static const std::pair<std::string_view, std::span<const std::uint32_t>> table[] = {
#define PROXEL_SHADER(name) {#name, spirv_##name},
#include "proxel_shader_table.inc"
#undef PROXEL_SHADER
  };
  for (const auto& [name, code] : table)
    if (name == shader) return code;
  return {};
}

}  // namespace proxel::vulkan
