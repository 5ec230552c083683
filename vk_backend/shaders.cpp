#include "shaders.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace proxel::vulkan {
namespace {
#include "proxel_shader_arrays.inc"
}  // namespace

std::string shader_name(const Pass& pass) {
  return *pass.variant == '\0' ? pass.name : fmt::format("{}_{}", pass.name, pass.variant);
}

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
