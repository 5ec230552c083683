#include "shaders.hpp"
#include "spirv.hpp"

namespace proxel::vulkan {

std::vector<std::uint32_t> without_unrolling(std::span<const std::uint32_t> code) {
  constexpr std::size_t loop_control = 3;  // a word of OpLoopMerge
  constexpr std::uint32_t unroll = 1;
  std::vector<std::uint32_t> kept(code.begin(), code.end());
  spirv::for_each_instruction(std::span(kept), [](std::uint32_t opcode, std::span<std::uint32_t> words) {
    if (opcode == spirv::loop_merge) words[loop_control] &= ~unroll;
  });
  return kept;
}

}  // namespace proxel::vulkan
