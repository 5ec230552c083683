#pragma once

// Strings as levenshtein.h lays them out.

#include <cstddef>
#include <cstdint>

#include "passes/memory.hpp"
#include "proxel/passes/levenshtein.h"

namespace proxel::passes {

/// The first word of the string at a place; a line later stands the next.
inline const std::uint32_t* words_at(const LevenshteinParameters& parameters, std::uint64_t place) {
  const std::uint64_t line = at<const std::uint32_t>(parameters.block_lines)[place / string_block];
  return at<const std::uint32_t>(parameters.symbols) + line * string_block + place % string_block;
}

/// Symbol i of the string at a place, which has it.
inline std::uint32_t symbol_at(const LevenshteinParameters& parameters, std::uint32_t symbol_bytes, std::uint64_t place,
                               std::uint32_t i) {
  const std::uint32_t per = 4 / symbol_bytes;
  const std::uint32_t word = words_at(parameters, place)[std::size_t{i / per} * string_block];
  return symbol_bytes == 4 ? word : word >> (i % per * 8 * symbol_bytes) & ((1u << (8 * symbol_bytes)) - 1);
}

}  // namespace proxel::passes
