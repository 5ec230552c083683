#include "passes/all_passes.hpp"

#include <fmt/format.h>

#include "proxel_passes.inc"

namespace proxel {

std::span<const PassKind* const> all_passes() {
  static constexpr const PassKind* all[] = {
#define PROXEL_ENTRY(name) &passes::name,
      PROXEL_ALL_PASSES(PROXEL_ENTRY)
#undef PROXEL_ENTRY
  };
  return all;
}

std::string text_of_constants(const Pass& pass) {
  std::string text;
  for (std::uint32_t i = 0; i < pass.kind->constant_count; ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", pass.kind->constants[i], pass.constants[i]);
  return text.empty() ? "no constants" : text;
}

}  // namespace proxel
