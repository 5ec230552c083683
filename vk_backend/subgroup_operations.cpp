#include <array>
#include <set>

#include "shaders.hpp"
#include "spirv.hpp"

namespace proxel::vulkan {
namespace {

struct Operation {
  std::uint32_t capability;  // of SPIR-V (specification, section 3.31)
  VkSubgroupFeatureFlags feature;
  const char* name;
};

constexpr std::array operations = {
    Operation{61, VK_SUBGROUP_FEATURE_BASIC_BIT, "basic"},
    Operation{62, VK_SUBGROUP_FEATURE_VOTE_BIT, "vote"},
    Operation{63, VK_SUBGROUP_FEATURE_ARITHMETIC_BIT, "arithmetic"},
    Operation{64, VK_SUBGROUP_FEATURE_BALLOT_BIT, "ballot"},
    Operation{65, VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "shuffle"},
    Operation{66, VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT, "relative shuffle"},
    Operation{67, VK_SUBGROUP_FEATURE_CLUSTERED_BIT, "clustered"},
    Operation{68, VK_SUBGROUP_FEATURE_QUAD_BIT, "quad"},
};

// Those that a module declares: it begins with them.
template <typename Visit>
void for_each_capability(std::span<const std::uint32_t> code, const Visit& visit) {
  constexpr std::uint32_t instruction = spirv::first_word(spirv::capability, 2);
  for (std::size_t word = spirv::header_words; word + 1 < code.size() && code[word] == instruction; word += 2)
    visit(code[word + 1]);
}

bool needs(std::span<const std::uint32_t> code, std::uint32_t wanted) {
  bool needed = false;
  for_each_capability(code, [&](std::uint32_t capability) { needed |= capability == wanted; });
  return needed;
}

}  // namespace

VkSubgroupFeatureFlags subgroup_operations(std::span<const std::uint32_t> code) {
  VkSubgroupFeatureFlags needed = 0;
  for_each_capability(code, [&](std::uint32_t capability) {
    for (const Operation& operation : operations)
      if (operation.capability == capability) needed |= operation.feature;
  });
  return needed;
}

bool needs_float64(std::span<const std::uint32_t> code) {
  constexpr std::uint32_t float64 = 10;
  return needs(code, float64);
}

bool needs_float16(std::span<const std::uint32_t> code) {
  constexpr std::uint32_t float16 = 9;
  return needs(code, float16);
}

bool needs_matrix_units(std::span<const std::uint32_t> code) {
  constexpr std::uint32_t cooperative_matrix = 6022;
  return needs(code, cooperative_matrix);
}

bool needs_half_sums(std::span<const std::uint32_t> code) {
  // OpTypeFloat: result, width; OpConstant: type, result, value; OpTypeCooperativeMatrixKHR: result, type, scope, rows, columns, use.
  constexpr std::uint32_t type_float = 22, type_matrix = 4456, use_of_sums = 2;
  std::set<std::uint32_t> halves, twos;
  bool found = false;
  spirv::for_each_instruction(code, [&](std::uint32_t opcode, std::span<const std::uint32_t> words) {
    if (opcode == type_float && words[2] == 16) halves.insert(words[1]);
    if (opcode == spirv::constant && words.size() == 4 && words[3] == use_of_sums) twos.insert(words[2]);
    if (opcode == type_matrix && halves.count(words[2]) != 0 && twos.count(words[6]) != 0) found = true;
  });
  return found;
}

bool needs_int8(std::span<const std::uint32_t> code) {
  constexpr std::uint32_t int8 = 39;
  return needs(code, int8);
}

std::string names_of(VkSubgroupFeatureFlags wanted) {
  std::string names;
  for (const Operation& operation : operations)
    if (wanted & operation.feature) names += (names.empty() ? "" : " and ") + std::string(operation.name);
  return names;
}

}  // namespace proxel::vulkan
