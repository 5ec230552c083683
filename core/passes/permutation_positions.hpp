#pragma once

// Where positions stand (proxel/passes/permutations.h).

#include <cstdint>

#include "proxel/passes/permutations.h"

namespace proxel::passes {

constexpr std::uint32_t permutation_words(std::uint32_t permutants) { return (permutants + 3) / 4; }

/// Bytes that the positions of all these objects take.
constexpr std::uint64_t permutation_bytes(std::uint64_t objects, std::uint32_t permutants) {
  return (objects + permutation_block - 1) / permutation_block * permutation_block * permutation_words(permutants) * 4;
}

/// Word 0 of an object; the others follow permutation_block words apart.
constexpr std::uint64_t permutation_word(std::uint64_t object, std::uint32_t permutants) {
  return object / permutation_block * permutation_words(permutants) * permutation_block + object % permutation_block;
}

}  // namespace proxel::passes
