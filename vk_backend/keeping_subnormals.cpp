#include "shaders.hpp"
#include "spirv.hpp"

namespace proxel::vulkan {
namespace {

// What a module says of itself that matters here.
struct Arithmetic {
  bool exact = false;   // an operation that is neither contracted nor reordered
  bool rough = false;   // an exponential, a logarithm or a root, whose precision is the device's own
  bool widths = false;  // computes with other floating-point numbers than binary32
};

Arithmetic arithmetic_of(std::span<const std::uint32_t> code) {
  constexpr std::uint32_t no_contraction = 42;          // a decoration (section 3.20)
  constexpr std::uint32_t float16 = 9, float64 = 10;    // capabilities (section 3.31)
  constexpr std::uint32_t exp = 27, inverse_sqrt = 32;  // and between them log, exp2, log2, sqrt (GLSL.std.450)
  Arithmetic found;
  spirv::for_each_instruction(code, [&](std::uint32_t opcode, std::span<const std::uint32_t> words) {
    if (opcode == spirv::decorate && words[2] == no_contraction) found.exact = true;
    if (opcode == spirv::ext_inst && words[4] >= exp && words[4] <= inverse_sqrt) found.rough = true;
    if (opcode == spirv::capability && (words[1] == float16 || words[1] == float64)) found.widths = true;
  });
  return found;
}

}  // namespace

std::vector<std::uint32_t> keeping_subnormals(std::span<const std::uint32_t> code, bool with_other_widths) {
  constexpr std::uint32_t denorm_preserve_capability = 4464, denorm_preserve_mode = 4459;
  std::vector<std::uint32_t> kept(code.begin(), code.end());
  const Arithmetic arithmetic = arithmetic_of(code);
  if (!arithmetic.exact || arithmetic.rough || (arithmetic.widths && !with_other_widths)) return kept;
  kept.resize(spirv::header_words);
  // A module begins with its capabilities, and execution modes follow the entry point (section 2.4).
  kept.insert(kept.end(), {spirv::first_word(spirv::capability, 2), denorm_preserve_capability});
  spirv::for_each_instruction(code, [&](std::uint32_t opcode, std::span<const std::uint32_t> words) {
    kept.insert(kept.end(), words.begin(), words.end());
    if (opcode == spirv::entry_point)
      kept.insert(kept.end(), {spirv::first_word(spirv::execution_mode, 4), words[2], denorm_preserve_mode, 32});
  });
  return kept;
}

}  // namespace proxel::vulkan
