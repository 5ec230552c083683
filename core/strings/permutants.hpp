#pragma once

#include <cstdint>
#include <vector>

#include "proxel/permutation.hpp"

namespace proxel::strings {

/// Of `count` objects those that options ask for, or others at random.
/// Throws Error(invalid_argument).
std::vector<std::uint32_t> choose_permutants(const PermutationOptions& options, std::uint64_t count);

/// `wanted` of the numbers below `count` in a random order, without repeats: the same
/// with every standard library.
std::vector<std::uint32_t> random_sample(std::uint64_t count, std::uint64_t wanted, std::uint64_t seed);

/// How many of the nearest permutants count, of so many.
/// Throws Error(invalid_argument).
std::uint32_t kept_permutants(const PermutationOptions& options, std::uint32_t permutants);

/// Some of the strings.
Strings strings_at(const Strings& strings, const std::vector<std::uint32_t>& places);

}  // namespace proxel::strings
