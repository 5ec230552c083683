#include <set>

#include "shaders.hpp"
#include "spirv.hpp"

namespace proxel::vulkan {

std::vector<std::uint32_t> without_subgroup_barriers(std::span<const std::uint32_t> code) {
  constexpr std::uint32_t subgroup = 3;  // a scope (section 3.27), the identifier of a constant
  std::set<std::uint32_t> subgroup_constants;
  std::vector<std::uint32_t> kept(code.begin(), code.begin() + spirv::header_words);
  spirv::for_each_instruction(code, [&](std::uint32_t opcode, std::span<const std::uint32_t> words) {
    if (opcode == spirv::constant && words[3] == subgroup) subgroup_constants.insert(words[2]);
    if (opcode == spirv::control_barrier && subgroup_constants.contains(words[1]))
      kept.insert(kept.end(), {spirv::first_word(spirv::memory_barrier, 3), words[2], words[3]});
    else
      kept.insert(kept.end(), words.begin(), words.end());
  });
  return kept;
}

}  // namespace proxel::vulkan
