#pragma once

#include <cstdint>
#include <vector>

#include "proxel/permutation.hpp"

namespace proxel::permutation {

/// The permutants among `count` objects: those that options ask for, or some at random.
/// Throws Error(invalid_argument).
std::vector<std::uint32_t> choose_permutants(const PermutationOptions& options, std::uint64_t count);

/// `wanted` of the numbers below `count` in a random order, without repeats: the same
/// with every standard library.
std::vector<std::uint32_t> random_sample(std::uint64_t count, std::uint64_t wanted, std::uint64_t seed);

/// How many of the nearest permutants count, of so many.
/// Throws Error(invalid_argument).
std::uint32_t kept_permutants(const PermutationOptions& options, std::uint32_t permutants);

/// How many of so many objects a search looks at: the fraction, rounded up, and at least k.
/// Throws Error(invalid_argument) for a fraction that is none.
std::uint64_t candidate_count(std::uint64_t objects, std::uint64_t k, double fraction);

}  // namespace proxel::permutation
