#include <array>
#include <utility>

#include "cpu/fast_passes.hpp"
#include "passes/reference.hpp"

namespace proxel::cpu {
namespace {

template <typename Function, std::size_t count>
Function find(const std::array<std::pair<std::string_view, Function>, count>& table, std::string_view name) {
  for (const auto& [known, function] : table)
    if (known == name) return function;
  return nullptr;
}

constexpr auto fast_passes = std::to_array<std::pair<std::string_view, FastPass>>({
#define PROXEL_ENTRY(name) {#name, name},
    PROXEL_FAST_PASSES(PROXEL_ENTRY)
#undef PROXEL_ENTRY
});

constexpr auto reference_passes = std::to_array<std::pair<std::string_view, ReferencePass>>({
#define PROXEL_PASS(name) {#name, reference::name},
#include "proxel_pass_names.inc"
#undef PROXEL_PASS
});

}  // namespace

FastPass find_fast_pass(std::string_view name) { return find(fast_passes, name); }

ReferencePass find_reference_pass(std::string_view name) { return find(reference_passes, name); }

}  // namespace proxel::cpu
