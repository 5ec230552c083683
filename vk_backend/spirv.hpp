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
  type_void = 19,
  type_bool = 20,
  type_int = 21,
  type_struct = 30,
  type_pointer = 32,
  type_function = 33,
  constant = 43,
  function = 54,
  function_end = 56,
  function_call = 57,
  variable = 59,
  load = 61,
  store = 62,
  access_chain = 65,
  decorate = 71,
  member_decorate = 72,
  add = 128,
  not_equal = 171,
  less_than = 176,
  control_barrier = 224,
  memory_barrier = 225,
  phi = 245,
  loop_merge = 246,
  selection_merge = 247,
  label = 248,
  branch = 249,
  branch_conditional = 250,
  end = 253,
  execution_mode_id = 331,
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
