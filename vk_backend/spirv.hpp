#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace proxel::vulkan::spirv {

/// Words before the first instruction (specification of SPIR-V, section 2.3).
inline constexpr std::size_t header_words = 5;

/// Opcodes (section 3.49) of the instructions that are looked at here.
enum Opcode : std::uint32_t {
  ext_inst = 12,
  entry_point = 15,
  execution_mode = 16,
  capability = 17,
  constant = 43,
  decorate = 71,
  control_barrier = 224,
  memory_barrier = 225,
  loop_merge = 246,
};

/// The first word of an instruction.
constexpr std::uint32_t first_word(Opcode opcode, std::uint32_t words) { return words << 16 | opcode; }

/// Calls visit(opcode, words) for each instruction; its first word holds the opcode.
/// Word is std::uint32_t, or const.
template <typename Word, typename Visit>
void for_each_instruction(std::span<Word> module, const Visit& visit) {
  for (std::size_t word = header_words; word < module.size();) {
    const std::span<Word> words = module.subspan(word, module[word] >> 16);
    visit(words[0] & 0xFFFFu, words);
    word += words.size();
  }
}

}  // namespace proxel::vulkan::spirv
