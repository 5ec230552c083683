#include "shaders.hpp"

namespace proxel::vulkan {

std::vector<std::uint32_t> without_unrolling(std::span<const std::uint32_t> code) {
  // SPIR-V specification, sections 2.3, 3.23 and 3.49.17.
  constexpr std::size_t header_words = 5;
  constexpr std::uint32_t loop_merge = 246;
  constexpr std::size_t loop_control = 3;  // a word of that instruction
  constexpr std::uint32_t unroll = 1;
  std::vector<std::uint32_t> kept(code.begin(), code.end());
  for (std::size_t word = header_words; word < kept.size();) {
    const std::uint32_t words = kept[word] >> 16;
    if ((kept[word] & 0xFFFF) == loop_merge) kept[word + loop_control] &= ~unroll;
    word += words;
  }
  return kept;
}

}  // namespace proxel::vulkan
